// SPDX-License-Identifier: MIT
// dom.ts: makes elements

type Child = Node | string;

/** An element with attributes and children. Texts are never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing of 16 by 16. */
export function icon(path: string, isFilled = false): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  line.classList.add(isFilled ? "solid" : "line");
  svg.append(line);
  return svg;
}

export const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9.5 3h3v10h-3z",
  back: "M10.5 3 5.5 8l5 5M3.5 3v10",
  forward: "M5.5 3l5 5-5 5M12.5 3v10",
  light: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  camera: "M2 5h3l1-1.5h4L11 5h3v8H2zM8 6.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  help: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.6",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
};

export function button(title: string, path: string, action: () => void, isFilled = false): HTMLButtonElement {
  const element = make("button", { type: "button", title, "aria-label": title, class: "tool" }, icon(path, isFilled));
  element.addEventListener("click", action);
  return element;
}

/** A number for people: six digits. */
export function show(value: number): string {
  if (!Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}
