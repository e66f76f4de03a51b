// Keeps the files of the page, so that it works without a network.
//
// Every file but the page itself has the hash of its contents in its name: what is kept is
// right for ever. The page itself is requested first, so that a new one is seen at once.

const VERSION = "";

const FILES = [];

const OWN = `tengen ${self.registration.scope}`;
const NAME = `${OWN} ${VERSION}`;

async function install() {
  const cache = await caches.open(NAME);
  await cache.put("./", await found("./", { cache: "reload" }));
  for (const file of FILES) {
    const before = await caches.match(file);
    await cache.put(file, before ?? (await found(file)));
  }
  await self.skipWaiting();
}

async function found(file, options = {}) {
  const response = await fetch(file, options);
  if (!response.ok) throw new Error(`${file} cannot be loaded`);
  return response;
}

async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OWN) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(NAME);
  if (request.mode === "navigate" && isPage(request.url)) {
    return fetch(request).catch(() => cache.match("./"));
  }
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  // A report, which is kept when it is opened.
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

function isPage(url) {
  const { pathname } = new URL(url);
  return pathname.endsWith("/") || pathname.endsWith("/index.html");
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope)) {
    event.respondWith(answer(request));
  }
});
