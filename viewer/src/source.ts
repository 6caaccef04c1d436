// SPDX-License-Identifier: MIT
// source.ts: where the data comes from: the server, or the page itself

export interface Source {
  text(path: string): Promise<string>;
  binary(path: string): Promise<ArrayBuffer>;
}

class Server implements Source {
  private async get(path: string): Promise<Response> {
    const response = await fetch(`data/${path}`, { cache: "no-store" });
    if (!response.ok) {
      throw new Error(`${path}: ${(await response.text()).trim() || response.statusText}`);
    }
    return response;
  }

  async text(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  async binary(path: string): Promise<ArrayBuffer> {
    return (await this.get(path)).arrayBuffer();
  }
}

class Page implements Source {
  private find(path: string): string {
    const element = document.querySelector(`script[data-path="${path}"]`);
    if (!element) {
      throw new Error(`${path}: the page does not contain it`);
    }
    return element.textContent ?? "";
  }

  async text(path: string): Promise<string> {
    return this.find(path);
  }

  async binary(path: string): Promise<ArrayBuffer> {
    const text = atob(this.find(path));
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) {
      bytes[i] = text.charCodeAt(i);
    }
    return bytes.buffer;
  }
}

export function findSource(): Source {
  return document.querySelector("script[data-path]") ? new Page() : new Server();
}
