// Rules for the code of the page, where the style is not a matter of taste.

const browser = [
  "AbortController", "AbortSignal", "AudioContext", "Blob", "DOMException",
  "DecompressionStream", "Element", "Event", "EventTarget", "MessageChannel", "PointerEvent",
  "Response", "TextDecoder", "TextDecoderStream", "TextEncoder", "URL", "URLSearchParams",
  "WebAssembly", "Worker", "XMLSerializer", "addEventListener", "atob", "btoa", "caches",
  "clearTimeout", "console", "document", "fetch", "getComputedStyle", "history", "innerHeight",
  "innerWidth", "localStorage", "location", "matchMedia", "navigator", "onmessage",
  "performance", "postMessage", "removeEventListener", "requestAnimationFrame", "scrollTo",
  "self", "sessionStorage", "setTimeout",
];

export default [
  {
    files: ["crates/tengen-web/page/**/*.js", "web/static/**/*.js"],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: "module",
      globals: Object.fromEntries(browser.map((name) => [name, name === "onmessage"])),
    },
    rules: {
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-unreachable": "error",
      "no-dupe-keys": "error",
      "no-implicit-globals": "error",
      "no-async-promise-executor": "error",
      "no-self-assign": "error",
      "no-fallthrough": "error",
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
];
