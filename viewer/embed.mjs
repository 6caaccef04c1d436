// SPDX-License-Identifier: MIT
// embed.mjs: writes the built viewer as a C file with two arrays and their hashes
//
// usage: node embed.mjs DIST OUT.c
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [dist, out] = process.argv.slice(2);

/** A script within a page ends at "</script", wherever it stands; in a string the backslash changes nothing. */
const escaped = (text) => text.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");

function array(name, text) {
  const bytes = Buffer.from(text);
  const rows = [];
  for (let i = 0; i < bytes.length; i += 32) {
    rows.push(Array.from(bytes.subarray(i, i + 32)).join(","));
  }
  const hash = createHash("sha256").update(bytes).digest("base64");
  return `const unsigned char abut_viewer_${name}[] = {\n${rows.join(",\n")}};
const size_t abut_viewer_${name}_size = sizeof abut_viewer_${name};
const char abut_viewer_${name}_hash[] = "${hash}";\n`;
}

const script = escaped(readFileSync(`${dist}/viewer.js`, "utf8").trim());
const style = readFileSync(`${dist}/viewer.css`, "utf8").trim();
if (/<\/style/i.test(style)) {
  throw new Error("viewer.css contains the end of a style element");
}
writeFileSync(out, `#include "verb/viewer_page.h"\n${array("script", script)}${array("style", style)}`);
