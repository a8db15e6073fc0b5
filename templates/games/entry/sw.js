// Caches a scorer's pages and their files for reloads without a network: the table's page and the list of tables only.
// The network comes first. Forms never pass through here, and queue.js stores waiting hands without this worker.
//
// The copies hold only what the phone has shown (names, seats, hands of a table), and they grant nothing: the server judges
// every hand on arrival. A refusal (403, 404, 410), a sign-out (wild.js) or a newer copy removes them.
"use strict";
const CACHE = "wild-scorer-1";  // raise when the shape of the cached content changes
const PAGES = 30;  // enough for a long evening at several tables
const FILES = 100;  // files of older releases are dropped
const PATIENCE = 5000;  // ms; a slower network counts as none

const BASE = new URL(".", location.href).pathname;  // "/", or the path of WILD_URL
const below = (path) => (path.startsWith(BASE) ? path.slice(BASE.length) : "");
const isPage = (path) => /^(tables\/\d+|t\/[^/]+\/scoring)\/$/.test(below(path));
const isFile = (path) => below(path).startsWith("static/");
// A page has one copy, whatever its query; a file has one copy for each version in its address.
const nameOf = ({ pathname, search }) => (isFile(pathname) ? pathname + search : pathname);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

async function remember(address, response) {
  const cache = await caches.open(CACHE), name = nameOf(new URL(address, location.origin));
  if ([403, 404, 410].includes(response.status) || response.headers.has("Wild-For-All")) return cache.delete(name);
  if (!response.ok || response.redirected || response.type !== "basic") return;
  await cache.put(name, response);
  for (const [is, most] of [[isPage, PAGES], [isFile, FILES]]) {
    const all = (await cache.keys()).filter((request) => is(new URL(request.url).pathname));
    for (const request of all.slice(0, -most)) await cache.delete(request);
  }
}

async function answer(event, url) {
  const copy = await (await caches.open(CACHE)).match(nameOf(url), { ignoreVary: true });
  const fetched = fetch(event.request).then((response) => {
    // A page with a query (?hand=2) isn't the default page.
    if (!url.search || isFile(url.pathname)) event.waitUntil(remember(nameOf(url), response.clone()));
    return response;
  });
  event.waitUntil(fetched.catch(() => {}));
  if (!copy) return fetched;
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
  const response = await Promise.race([fetched.catch(() => null), late]);
  return response && ![502, 503, 504].includes(response.status) ? response : copy;
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.headers.has("Wild-Live")) return;  // live.js needs fresh content
  if (isPage(url.pathname) || isFile(url.pathname)) event.respondWith(answer(event, url));
});

// The page that installed this worker loaded before it, so it sends its address and files to cache.
self.addEventListener("message", (event) => {
  const { page, files } = event.data ?? {};
  const wanted = [page, ...(files ?? [])].filter((address) => typeof address === "string" && (isPage(address) || isFile(address)));
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    for (const address of wanted) {
      if (await cache.match(address, { ignoreVary: true })) continue;
      await fetch(address).then((response) => remember(address, response)).catch(() => {});
    }
  })());
});
