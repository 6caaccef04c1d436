// SPDX-License-Identifier: MIT
// vite.config.ts: one classic script and one style sheet, with fixed names
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist",
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: "src/main.ts",
      output: {
        format: "iife",
        entryFileNames: "viewer.js",
        assetFileNames: "viewer.[ext]",
      },
    },
  },
});
