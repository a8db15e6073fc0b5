// Keeps a scorer's pages, and what they are made of, for when they are loaded again without a network: the table's page
// and the list of tables, nothing else. What was answered last is always asked for first; no form ever goes through here.
// Hands that wait are not here but in queue.js, which needs none of this.
//
// The copies are pages that only a scorer may see, kept on the scorer's own phone. They tell nothing that the phone did not
// show already (names, seats, hands of a table), they open nothing, since every hand is judged by the server when it
// arrives, and they go when an answer says that the phone may look no more, when somebody signs out (wild.js), or when
// newer ones take their place.
"use strict";
const KEPT = "wild-scorer-1";  // count up when what is kept changes its shape
const PAGES = 30;  // a long evening at several tables
const FILES = 100;  // those of earlier versions of the service go
const PATIENCE = 5000;  // a network that is there and does not answer is no network

const isPage = (path) => /^\/tables\/\d+\/$/.test(path) || /^\/t\/[^/]+\/scoring\/$/.test(path);
const isFile = (path) => path.startsWith("/static/");
// A page has one copy, whatever was asked of it; a file one for each version that its address names.
const nameOf = ({ pathname, search }) => (isFile(pathname) ? pathname + search : pathname);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
    await self.clients.claim();
  })());
});

async function remember(address, response) {
  const kept = await caches.open(KEPT), name = nameOf(new URL(address, location.origin));
  if ([403, 404, 410].includes(response.status) || response.headers.has("Wild-For-All")) return kept.delete(name);
  if (!response.ok || response.redirected || response.type !== "basic") return;
  await kept.put(name, response);
  for (const [is, most] of [[isPage, PAGES], [isFile, FILES]]) {
    const all = (await kept.keys()).filter((request) => is(new URL(request.url).pathname));
    for (const request of all.slice(0, -most)) await kept.delete(request);
  }
}

async function answer(event, url) {
  const copy = await (await caches.open(KEPT)).match(nameOf(url), { ignoreVary: true });
  const fetched = fetch(event.request).then((response) => {
    // The page of a hand that was asked for is not the one to begin with.
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
  if (event.request.headers.has("Wild-Live")) return;  // live.js asks what is new, and is told nothing old
  if (isPage(url.pathname) || isFile(url.pathname)) event.respondWith(answer(event, url));
});

// The page that brought this worker was there before it: it says what it is and what it is made of.
self.addEventListener("message", (event) => {
  const { page, files } = event.data ?? {};
  const wanted = [page, ...(files ?? [])].filter((address) => typeof address === "string" && (isPage(address) || isFile(address)));
  event.waitUntil((async () => {
    const kept = await caches.open(KEPT);
    for (const address of wanted) {
      if (await kept.match(address, { ignoreVary: true })) continue;
      await fetch(address).then((response) => remember(address, response)).catch(() => {});
    }
  })());
});
