// Hands that wait on this phone. The browser's database keeps them before they are sent, in order, and lets them go only when
// the server has answered (games/entry/phone_queue.py) or the person discards them. Each has its own key, so a hand that is
// sent again because its answer was lost is still one hand. It also keeps what is half typed, by table and hand.
//
// It needs IndexedDB and nothing else: on plain http in a café there is no service worker, no navigator.locks, no
// crypto.randomUUID. What it shows is drawn by waiting.js.
//
//   a hand: {n, key, who, table, url, number, round, tournament, hand, seating, fields, points, title, lines, at, state, code, status,
//            sentence, answered, again}; state: waiting | stuck (the person has to decide) | in (the server has it)
//   a call of the director (call.js): {n, kind: "call", key, who, url, fields, label, at, state, code, status, sentence, answered, box}
"use strict";
globalThis.wildQueue = (() => {
  const TIMEOUT = 15_000, LEASE = 25_000, FIRST_RETRY = 2_000, LAST_RETRY = 60_000;
  const OPENS = 5_000;
  const OLD = 3 * 24 * 3600 * 1000;  // after so long, drafts and recorded hands are of no use

  // --- The database

  let opening = null, silent = false;
  function open() {
    if (silent) return Promise.reject(new Error("silent"));
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("wild-scorer", 1);
      // Some browsers refuse without saying so: then forms are sent at once, as without a database.
      const waiting = setTimeout(() => { silent = true; reject(new Error("silent")); }, OPENS);
      const answered = () => { clearTimeout(waiting); silent = false; };
      request.onupgradeneeded = () => {
        const hands = request.result.createObjectStore("hands", { keyPath: "n", autoIncrement: true });
        hands.createIndex("key", "key", { unique: true });
        request.result.createObjectStore("drafts", { keyPath: "slot" });
        request.result.createObjectStore("lease", { keyPath: "name" });
      };
      request.onsuccess = () => {
        answered();
        const database = request.result;
        database.onclose = () => { opening = null; };  // phones close it while the page sleeps
        database.onversionchange = () => { database.close(); opening = null; };
        resolve(database);
      };
      request.onerror = request.onblocked = () => { answered(); reject(request.error); };
    });
    opening.catch(() => { opening = null; });
    return opening;
  }

  const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  async function using(name, mode, work) {
    let transaction;
    try {
      transaction = (await open()).transaction(name, mode, { durability: "strict" });
    } catch {  // closed under us: once more
      opening = null;
      transaction = (await open()).transaction(name, mode, { durability: "strict" });
    }
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
    const [result] = await Promise.all([work(transaction.objectStore(name)), done]);
    return result;
  }

  const rows = () => using("hands", "readonly", (hands) => asked(hands.getAll()));
  const all = async () => (await rows()).filter((row) => !row.kind);
  const calls = async () => (await rows()).filter((row) => row.kind === "call");
  const get = (n) => using("hands", "readonly", (hands) => asked(hands.get(n)));

  // Several tabs of one phone show the same hands.
  const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("wild-queue") : null;
  const watchers = new Set();
  const tell = () => { for (const watcher of watchers) watcher(); };
  // Until the page goes that watches.
  function watch(watcher, signal) {
    watchers.add(watcher);
    signal.addEventListener("abort", () => watchers.delete(watcher));
  }
  if (others) others.onmessage = tell;
  function changed() {
    others?.postMessage("changed");
    tell();
  }

  async function change(n, values) {
    await using("hands", "readwrite", async (hands) => {
      const hand = await asked(hands.get(n));
      if (hand) await asked(hands.put({ ...hand, ...values }));
    });
    changed();
  }

  // 128 random bits.
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // Whether a hand typed anew replaces one that was refused: an impossible one, not one in a conflict.
  const isPutRight = (hand) => hand.state === "stuck" && ((hand.status === 422 && hand.code !== "order") || hand.code === "seating-changed");

  async function add(hand) {
    const n = await using("hands", "readwrite", async (hands) => {
      for (const other of await asked(hands.getAll()))
        if (other.table === hand.table && other.hand === hand.hand && (isPutRight(other) || other.state === "in")) {
          await asked(hands.delete(other.n));
          if (other.state === "stuck") release(other);
        }
      return asked(hands.add({ ...hand, key: newKey(), at: Date.now(), state: "waiting" }));
    });
    changed();
    return n;
  }

  async function drop(n) {
    const hand = await get(n);
    await using("hands", "readwrite", (hands) => asked(hands.delete(n)));
    if (hand && !hand.kind && hand.state !== "in") release(hand);
    changed();
  }

  // Directors see what phones still hold, until they say that they don't.
  function release({ url, key }) {
    const body = new URLSearchParams({ key }), headers = { "X-CSRFToken": token() };
    fetch(`${url}phone/`, { method: "POST", body, headers, redirect: "manual", keepalive: true }).catch(() => {});
  }

  async function dropKey(key) {
    await using("hands", "readwrite", async (hands) => {
      const n = await asked(hands.index("key").getKey(key));
      if (n !== undefined) await asked(hands.delete(n));
    });
    changed();
  }

  const again = (n, values = {}) => change(n, { ...values, state: "waiting", again: false, sentence: "" });

  // If the server made the page after it had the hand, the page shows it already.
  async function forgetShown(table, at) {
    await using("hands", "readwrite", async (hands) => {
      for (const hand of await asked(hands.getAll())) {
        const shown = hand.table === table && hand.answered <= at;
        if (hand.state === "in" && (shown || Date.now() - hand.at > OLD)) await asked(hands.delete(hand.n));
      }
    });
  }

  // --- What is half typed

  const draft = (slot) => using("drafts", "readonly", (drafts) => asked(drafts.get(slot)));
  const keepDraft = (slot, values) => using("drafts", "readwrite", async (drafts) => {
    if (!values) return asked(drafts.delete(slot));
    for (const old of await asked(drafts.getAll())) if (Date.now() - old.at > OLD) await asked(drafts.delete(old.slot));
    return asked(drafts.put({ ...values, slot, at: Date.now() }));
  });

  // --- Sending

  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });
  const me = newKey();

  // One tab sends at a time. Where there are no locks, a row of the database is a lock for a while: so a tab that freezes
  // does not hold up the others for long, and a hand that both send is still one hand.
  async function alone(work) {
    if (navigator.locks) return navigator.locks.request("wild-queue", () => work(() => {}));
    const take = () => using("lease", "readwrite", async (leases) => {
      const held = await asked(leases.get("sender"));
      const left = held ? held.until - Date.now() : 0;  // more than a whole lease: the phone's clock was set back
      if (held && held.holder !== me && left > 0 && left <= LEASE) return false;
      await asked(leases.put({ name: "sender", holder: me, until: Date.now() + LEASE }));
      return true;
    });
    while (!(await take())) await pause(500);
    try {
      return await work(take);
    } finally {
      await using("lease", "readwrite", (leases) => asked(leases.delete("sender")));
    }
  }

  const token = () => document.cookie.match(/(?:^|; )(?:wild_)?csrftoken=([^;]*)/)?.[1] ?? "";

  // How long ago it was tapped counts for a call: two clocks may differ, but not by this.
  const about = (row) => row.kind ? { ago: Math.max(0, Date.now() - row.at) } : { hand: row.hand, seating_version: row.seating };

  async function post(hand) {
    const body = new URLSearchParams({ ...hand.fields, ...about(hand), key: hand.key, who: hand.who ?? "" });
    const behind = hand.kind ? [] : (await all()).filter((row) => row.table === hand.table && row.state === "waiting" && row.n !== hand.n);
    if (behind.length) body.set("waiting", behind.map((row) => `${row.hand} ${row.key}`).join(" "));
    const headers = { Accept: "application/json", "X-CSRFToken": token() };
    const stop = new AbortController(), timer = setTimeout(() => stop.abort(), TIMEOUT);
    try {
      const response = await fetch(hand.url, { method: "POST", body, headers, redirect: "manual", signal: stop.signal });
      const isOurs = response.headers.get("Content-Type")?.startsWith("application/json");
      return { response, answer: isOurs ? await response.json() : null };
    } finally {
      clearTimeout(timer);
    }
  }

  // Send one. "on": it is decided; "later": try it again, and the next one now; "stop": try all again later.
  async function sendOne(hand) {
    let { response, answer } = await post(hand);
    if (response.status === 403 && !answer) {
      // The session has changed, and with it the token of its cookie: any of our pages brings a new one.
      await fetch(hand.url, { headers: { Accept: "text/html" }, redirect: "manual" });
      ({ response, answer } = await post(hand));
    }
    const { status } = response;
    if (answer?.code && answer.at && (response.ok || (status >= 400 && status < 500 && (status !== 429 || hand.kind)))) {
      const { code, sentence, at, box = "" } = answer;
      await change(hand.n, { state: response.ok ? "in" : "stuck", status, code, sentence, answered: at, box });
      return { go: "on" };
    }
    // This answer decides nothing: a fault, too many requests, or the sign-in page of somebody's Wi-Fi. A fault of this
    // hand alone holds up no other.
    return { go: [400, 413, 500].includes(status) ? "later" : "stop", wait: Number(response.headers.get("Retry-After")) * 1000 || 0 };
  }

  let failures = 0, timer = null, wanted = false, passing = null, sending = null;

  async function pass(renew) {
    let wait = 0;
    do {
      wanted = false;
      const tried = new Set();
      for (;;) {
        const hand = (await rows()).find((row) => row.state === "waiting" && !tried.has(row.n));
        if (!hand) break;
        tried.add(hand.n);
        await renew();
        sending = hand.n;
        tell();
        const outcome = await sendOne(hand).catch(() => ({ go: "stop", wait: 0 }));
        sending = null;
        if (outcome.go === "on") failures = 0;
        else wait = Math.max(wait, outcome.wait);
        if (outcome.go === "stop") break;
      }
    } while (wanted);
    return wait;
  }

  // Send what waits, in order. Resolves when all were tried; hands that could not be sent are tried again later.
  function send() {
    wanted = true;
    passing ??= (async () => {
      clearTimeout(timer);
      let wait = 0;
      try {
        wait = await alone(pass);
      } finally {
        passing = sending = null;
      }
      if ((await rows()).some((row) => row.state === "waiting")) {
        wait = Math.max(wait, Math.min(LAST_RETRY, FIRST_RETRY * 2 ** failures));
        failures = Math.min(failures + 1, 10);
        timer = setTimeout(send, wait);
      }
      changed();
    })().catch(() => {});
    return passing;
  }

  // Begin to send, now and whenever the network comes back. Try hands again whose link was refused: the organiser may have
  // made a new link, with which this page was opened. Also those for which an earlier hand was missing.
  let begun = false;
  async function begin({ except = null } = {}) {
    for (const hand of await all())
      if (hand.state === "stuck" && hand.n !== except && (hand.again || hand.code === "order" || [403, 404, 410].includes(hand.status) || hand.code === "link-ended")) await again(hand.n);
    if (!begun) {
      addEventListener("online", () => { failures = 0; send(); });
      document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") send(); });
    }
    begun = true;
    return send();
  }

  return { open, all, calls, get, add, drop, dropKey, again, change, forgetShown, draft, keepDraft, send, begin, pause, sendingNow: () => sending, watch };
})();
