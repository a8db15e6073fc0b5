// The online table. The server makes the page, as it does without scripts; this sends its forms in the background, takes
// over what differs when something happens, and adds dragging, keys, the running clock and sounds. Even if nothing happens,
// the page asks now and then, so that others can tell who is there (games/online/play/presence.py).
(() => {
  "use strict";

  const { bytesOf, hexOf, sha256 } = wildShuffle;
  const POLL = 2500; // milliseconds between two looks while there is no stream
  const HERE = 10000; // milliseconds without news after which the page looks
  const AGAIN = [300, 1000, 3000, 5000, 10000]; // waits before the stream is tried again
  const TRIES = [700, 2000, 4000]; // waits before a move is sent again; its key gives it one effect
  const SAID = 4000; // how long a refusal can be read, even if the table has moved on
  const TWICE = 300; // milliseconds; a second tap so soon and so near belongs to the first
  const TREMBLES = 20; // pixels
  const STARTS_DRAGGING = 8; // pixels
  const NEAR = 40; // pixels around the discard pile
  const LAST = 5000; // milliseconds before a player's time is over

  let root = document.getElementById("play");
  if (!root) return;
  const words = { ...root.dataset };
  let version = words.version;
  let chosen = new URL(location.href).searchParams.get("card") || "";
  let fetching = false;
  let wanted = false;
  let over = false;
  let sending = 0; // moves under way, whose answers bring the table with them
  let newest = ""; // the last version that the stream named
  let brought = ""; // the part of the page that came with that version, until it is taken over
  let asked = 0; // requests so far, to tell which answer is the newest
  let taken = 0;
  let said = { at: -SAID, version: "", unsent: false }; // the refusal that the page shows, and what it was an answer to
  let heardAt = 0; // when the server answered last
  let lookedAt = performance.now();

  const stream = wildStream({
    address: words.stream,
    version: () => version,
    waits: AGAIN,
    every: POLL,
    changed: (version) => {
      newest = version;
      if (!sending) catchUp();
    },
    shown: (version, part) => {
      newest = version;
      brought = part;
      if (!sending) takeBrought();
    },
    look: refresh,
    up: () => {
      heardAt = performance.now();
      tell("");
    },
    lost: () => tell(words.lost),
    woke: refresh,
  });

  // If a card is chosen, the page asks about it, but the stream does not know the card.
  function takeBrought() {
    const fresh = new DOMParser().parseFromString(brought, "text/html");
    const newer = fresh.getElementById("play");
    brought = "";
    if (newer && !chosen && !over && newer.dataset.version !== version && !isOlder(newer.dataset.version)) take(newer, fresh.title);
    catchUp(); // if it brought nothing, or more has happened since
  }

  function catchUp() {
    if (newest && newest !== version && !isOlder(newest)) refresh();
  }

  function tell(text) {
    const place = document.getElementById("play-offline");
    if (place && place.textContent !== text) place.textContent = text;
  }

  function stop(why = words.gone) {
    over = true;
    stream.stop();
    tell(why);
  }

  // ---- the page as it is now

  function address() {
    const here = new URL(words.here, location.href);
    if (chosen) here.searchParams.set("card", chosen);
    return here;
  }

  function refresh() {
    if (over) return;
    wanted = true;
    if (!fetching) fetchPage();
  }

  async function fetchPage() {
    wanted = false;
    fetching = true;
    lookedAt = performance.now();
    const number = ++asked;
    const card = chosen;
    // The server sends nothing that this page has, unless the page does not know the time.
    const headers = card || ahead === -Infinity ? sees() : { ...sees(), "Wild-Has": root.dataset.has };
    let came = false;
    try {
      const answer = await fetch(address(), { cache: "no-store", headers, signal: AbortSignal.timeout(10000) });
      came = answer.status === 204 || await read(answer, number, card);
      if (came) heardAt = performance.now();
    } catch {
      came = false;
    } finally {
      fetching = false;
      if (wanted) fetchPage();
      else if (!came && !over && !stream.looks()) setTimeout(refresh, POLL);
    }
  }

  function sees() {
    return { Accept: "text/html", "Wild-Live": document.hidden ? "hidden" : "1" };
  }

  // `card`: the chosen card when this was requested. The next page will ask about a card that was chosen since then.
  async function read(answer, number, card, own = false) {
    if ([403, 404, 410].includes(answer.status)) {
      stop();
      return true;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newer = fresh.getElementById("play");
    if (!newer) {
      if (answer.ok || answer.status === 409) location.reload(); // another page answers here: it says what to do
      return false;
    }
    lookedAt = performance.now();
    if (number > taken && !isOlder(newer.dataset.version)) {
      taken = number;
      take(newer, fresh.title, own);
    }
    if (chosen && chosen === card && !root.querySelector("[data-ask=wild], [data-ask=wrong]")) choose("");
    return true;
  }

  // “412.37”: both parts only grow.
  function isOlder(other) {
    const mine = version.split(".").map(Number);
    return other.split(".").some((part, at) => Number(part) < mine[at]);
  }

  function take(newer, title, own) {
    const before = { mine: "mine" in root.dataset, top: topCard(), focus: whereFocusIs(), asked: questionId() };
    version = newer.dataset.version;
    const fresh = document.importNode(newer, true);
    say(fresh, own);
    ready(fresh);
    root.dispatchEvent(new CustomEvent("wild:fresh", { detail: fresh })); // play_help.js adds what it shows
    if (kindOf(root) === kindOf(fresh)) morph(root, fresh);
    else {
      attributes(root, fresh);
      root.replaceChildren(...fresh.childNodes);
      window.scrollTo(0, 0);
    }
    Object.assign(words, { here: root.dataset.here, state: root.dataset.state });
    if (drag) followDrag();
    learn();
    tick();
    focusAgain(before.focus);
    if ((own || chosen) && (byKeys || before.focus)) focusQuestion(before.asked, own);
    document.title = "mine" in root.dataset ? `${document.getElementById("mine").getAttribute("aria-label")} · ${title}` : title;
    if (stream.looks()) tell(words.lost);
    root.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true })); // times in the viewer's zone (wild.js)
    followLead();
    byItself();
    if ("mine" in root.dataset && !before.mine) sound(660, 0.16);
    else if (topCard() !== before.top) sound(330, 0.06);
  }

  // The last two of a casual game play on at another table, whose page shows the hand before, too.
  function followLead() {
    const lead = root.querySelector("a[data-leads]");
    if (!lead || over) return;
    stop("");
    location.replace(lead.href);
  }

  function kindOf(part) {
    return `${part.classList.contains("handend")} ${part.dataset.state} ${part.dataset.deal}`;
  }

  function topCard() {
    return root.querySelector("#discard svg")?.id;
  }

  // A refusal goes with the next state, once it could be read; at once if it is the player's turn now.
  function say(fresh, own) {
    const now = root.querySelector("#said");
    const next = fresh.querySelector("#said");
    if (!next) return;
    const turns = "mine" in fresh.dataset && !("mine" in root.dataset);
    if (next.textContent) said = { at: performance.now(), version, unsent: false };
    else if (now && !own && !turns && !isPast()) next.textContent = now.textContent;
  }

  function isPast() {
    const moved = said.version !== version || (said.unsent && heardAt > said.at);
    return moved && performance.now() - said.at > SAID;
  }

  function refuse(text, unsent = false) {
    const place = root.querySelector("#said");
    if (!place) return;
    place.textContent = "";
    said = { at: performance.now(), version, unsent };
    requestAnimationFrame(() => { place.textContent = text; });
  }

  function forgetRefusal() {
    const place = root.querySelector("#said");
    if (place?.textContent && isPast()) place.textContent = "";
  }

  // ---- taking over what is different, node by node: focus, open panels and what was ticked stay

  function morph(old, fresh) {
    attributes(old, fresh);
    const known = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      const id = next.nodeType === 1 ? next.id : "";
      const same = id ? known.get(id) : at && at.nodeType === next.nodeType && at.nodeName === next.nodeName && !at.id ? at : null;
      if (!same || same.nodeName !== next.nodeName) {
        old.insertBefore(next, at);
        arrive(next);
        continue;
      }
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      if (same.nodeType === 1) morph(same, next);
      else if (same.data !== next.data) same.data = next.data;
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  function attributes(old, fresh) {
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value && !own(old, name)) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !own(old, name)) old.removeAttribute(name);
    }
  }

  function own(element, name) {
    return name === "open" && element.tagName === "DETAILS";
  }

  // Cards that come are the only things that move.
  function arrive(node) {
    if (node.nodeType === 1 && /^(card|top)-/.test(node.id)) node.classList.add("arrive");
  }

  function whereFocusIs() {
    const active = document.activeElement;
    if (!active || !root.contains(active)) return null;
    const cards = [...root.querySelectorAll(".fan button")];
    return { active, card: cards.indexOf(active), asked: Boolean(active.closest(".ask, .acts")) };
  }

  function focusAgain(before) {
    if (!before || before.active.isConnected) {
      if (before && document.activeElement !== before.active) before.active.focus({ preventScroll: true });
      return;
    }
    const cards = [...root.querySelectorAll(".fan button")];
    const next = root.querySelector(".ask button, .ask a") || (before.card >= 0 ? cards[Math.min(before.card, cards.length - 1)] : null)
      || root.querySelector(".acts button:not([aria-disabled]), .nextdeal button, .nextdeal a") || cards[0];
    if (next) next.focus({ preventScroll: true });
  }

  function questionId() {
    return root.querySelector("[data-ask]")?.id;
  }

  // The player's own move or card brought this question, and they answer it next: Enter must not send what had focus before.
  function focusQuestion(before, own) {
    const question = root.querySelector("[data-ask]");
    if (!question || question.id === before && (!own || question.contains(document.activeElement))) return;
    const answer = question.querySelector(".btn-main") || question.querySelector("[type=radio], button, a");
    if (answer) answer.focus({ preventScroll: true });
  }

  // ---- sending

  const busy = new WeakSet();
  let tapped = { at: -TWICE, x: 0, y: 0 };

  // The first tap may have brought another card, or a question, under the finger.
  root.addEventListener("click", (event) => {
    if (!event.detail || !event.target.closest("button:not([type=button])")) return; // no detail: by a key
    const { clientX: x, clientY: y } = event;
    const at = performance.now();
    const again = at - tapped.at < TWICE && Math.hypot(x - tapped.x, y - tapped.y) < TREMBLES;
    tapped = { at, x, y };
    if (!again) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  root.addEventListener("submit", (event) => {
    const form = event.target;
    const to = new URL(form.action, location.href);
    if (!to.pathname.startsWith(new URL(words.here, location.href).pathname)) return;
    event.preventDefault();
    if (form.id === "choose") return choose(event.submitter.value, true);
    if (busy.has(form)) return;
    const sent = new FormData(form, event.submitter);
    if (form.dataset.whom && !sent.has("target")) {
      refuse(form.dataset.whom);
      form.querySelector("[type=radio]").focus();
      return;
    }
    const deal = sent.get("deal");
    if ("promises" in form.dataset) sent.set("promised", hexOf(sha256(bytesOf(entropy(deal)))));
    if ("opens" in form.dataset) sent.set("entropy", entropy(deal));
    send(form, to, sent, event.submitter);
  });

  // What a browser does by itself once for a deal, since its player was there just now: it opens its promise when all have
  // promised, and promises anew if somebody else has not opened theirs.
  const done = new Set();
  function byItself() {
    for (const form of root.querySelectorAll("form[data-opens], form[data-again]")) {
      const what = `${form.id} ${form.elements.deal.value}`;
      if (busy.has(form) || done.has(what)) continue;
      done.add(what);
      form.requestSubmit();
    }
  }

  async function send(form, to, sent, button) {
    busy.add(form);
    sending += 1;
    button?.classList.add("sent");
    try {
      for (let attempt = 0; ; attempt += 1) {
        const number = ++asked;
        try {
          const card = chosen;
          if (card) to.searchParams.set("card", card);
          const answer = await fetch(to, { method: "POST", body: new URLSearchParams(sent), headers: sees(), signal: AbortSignal.timeout(10000) });
          if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
          await read(answer, number, card, answer.ok);
          return;
        } catch {
          if (attempt >= TRIES.length) return refuse(words.unsent, true);
          await new Promise((resolve) => { setTimeout(resolve, TRIES[attempt]); });
        }
      }
    } finally {
      busy.delete(form);
      sending -= 1;
      if (!sending) takeBrought();
      button?.classList.remove("sent");
    }
  }

  // What this browser adds to the shuffle: the same each time, since it is promised first. It is kept with the seal that was
  // shown before, so that both can be compared with the log (proof.js), and that it can be opened after a reload.
  const added = new Map();
  function entropy(deal) {
    let hex = added.get(deal) ?? hexOf(crypto.getRandomValues(new Uint8Array(32)));
    added.set(deal, hex);
    try {
      hex = sessionStorage.getItem(`wild-entropy-${deal}`) ?? hex;
      sessionStorage.setItem(`wild-entropy-${deal}`, hex);
      added.set(deal, hex);
      if (!sessionStorage.getItem(`wild-seal-${deal}`)) sessionStorage.setItem(`wild-seal-${deal}`, root.dataset.seal);
    } catch {
      // This browser keeps nothing; the log tells it too.
    }
    return hex;
  }

  function choose(card, look = false) {
    chosen = card;
    history.replaceState(null, "", address());
    if (look) refresh();
  }

  root.addEventListener("click", (event) => {
    const other = event.target.closest("#other-card");
    if (other) {
      event.preventDefault();
      choose("", true);
      return;
    }
    const off = event.target.closest("[aria-disabled=true][data-why]");
    if (off) refuse(off.dataset.why);
  });

  // ---- dragging a card onto the discard pile

  let drag = null;

  root.addEventListener("pointerdown", (event) => {
    const button = event.target.closest(".fan button");
    if (!button || event.button > 0 || !event.isPrimary) return;
    drag = { button, id: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0, moving: false };
  });

  root.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    [drag.dx, drag.dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving) {
      if (Math.hypot(drag.dx, drag.dy) < STARTS_DRAGGING) return;
      drag.moving = true;
      drag.button.setPointerCapture(drag.id);
    }
    drag.over = overDiscard(event);
    followDrag();
  });

  // Do it again after the page was taken over, since the new one does not know of a card under a finger.
  function followDrag() {
    if (!drag.moving) return;
    drag.button.parentElement?.classList.add("dragged");
    drag.button.firstElementChild.style.transform = `translate(${drag.dx}px, ${drag.dy}px)`;
    root.querySelector("#discard")?.classList.toggle("over", drag.over);
  }

  function overDiscard(event) {
    const box = root.querySelector("#discard svg")?.getBoundingClientRect();
    return Boolean(box) && event.clientX > box.left - NEAR && event.clientX < box.right + NEAR
      && event.clientY > box.top - NEAR && event.clientY < box.bottom + NEAR;
  }

  function drop(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { button, moving } = drag;
    drag = null;
    if (!moving) return;
    button.firstElementChild.style.transform = "";
    button.parentElement?.classList.remove("dragged");
    root.querySelector("#discard")?.classList.remove("over");
    const stopClick = (click) => { click.stopPropagation(); click.preventDefault(); };
    window.addEventListener("click", stopClick, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", stopClick, { capture: true }), 50);
    if (event.type === "pointerup" && overDiscard(event) && button.form) button.form.requestSubmit(button);
  }
  root.addEventListener("pointerup", drop);
  root.addEventListener("pointercancel", drop);

  // ---- keys

  let byKeys = false;
  document.addEventListener("pointerdown", () => { byKeys = false; }, true);
  document.addEventListener("keydown", (event) => {
    byKeys = true;
    // A key that is still held down was meant for what was there before the question.
    if (event.repeat && (event.key === "Enter" || event.key === " ") && event.target.closest("[data-ask]")) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.defaultPrevented || (event.key === "Escape" && closePanels())) return;
    if (!isOn("keys") || event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, .drop[open]")) return;
    const cards = [...root.querySelectorAll(".fan button")];
    const at = cards.indexOf(document.activeElement);
    if (/^[0-9]$/.test(event.key)) cards[(Number(event.key) + 9) % 10]?.focus();
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      if (document.activeElement.matches("[type=radio]") || !cards.length) return;
      const step = event.key === "ArrowRight" ? 1 : -1;
      cards[at < 0 ? (step > 0 ? 0 : cards.length - 1) : (at + step + cards.length) % cards.length].focus();
      event.preventDefault();
    } else {
      const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
      const there = root.querySelector(`[aria-keyshortcuts="${CSS.escape(name)}"]`);
      if (there) {
        there.click();
        event.preventDefault();
      }
    }
  });

  function closePanels(but = null) {
    let closed = false;
    for (const panel of root.querySelectorAll(".drop[open]")) {
      if (panel === but) continue;
      panel.open = false;
      if (panel.contains(document.activeElement)) panel.querySelector("summary").focus();
      closed = true;
    }
    return closed;
  }
  document.addEventListener("click", (event) => closePanels(event.target.closest(".drop")));

  // ---- the clock, by the server's time

  let ahead = -Infinity; // the server's time is late by its way here, never early

  function learn() {
    ahead = Math.max(ahead, Number(root.dataset.now) - performance.now());
  }

  function tick() {
    if (ahead === -Infinity) return; // the server has not told its time yet
    const now = performance.now() + ahead;
    for (const time of root.querySelectorAll("[data-since]")) write(time, Math.floor((now - time.dataset.since) / 1000), time.dataset.words);
    const clock = root.querySelector("#clock");
    if (!clock) return;
    const { from, move, due } = clock.dataset;
    const left = Math.max(0, move - now);
    clock.classList.toggle("clock-late", !left);
    ticking(clock, due - now);
    write(clock.querySelector(".clock-move"), Math.ceil(left / 1000));
    write(clock.querySelector(".clock-bank"), Math.ceil(Math.max(0, Math.min(due - move, due - now)) / 1000));
    const bar = root.querySelector(".timebar rect");
    if (bar) bar.setAttribute("width", Math.min(100, (100 * left) / Math.max(1, move - from)).toFixed(1));
  }

  // The last seconds are coloured, and each of them can be heard if they are the player's own.
  let ticked = "";
  function ticking(clock, left) {
    clock.classList.toggle("clock-last", left <= LAST);
    const second = `${clock.dataset.due} ${Math.ceil(left / 1000)}`;
    if (left > LAST || left <= 0 || second === ticked) return;
    ticked = second;
    if ("mine" in root.dataset) sound(880, 0.05);
  }

  function write(place, seconds, words = "{time}") {
    if (!place) return;
    const text = words.replace("{time}", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    if (place.textContent !== text) place.textContent = text;
  }

  // When a device sleeps, its stopwatch stands still.
  let apart = Date.now() - performance.now();
  setInterval(() => {
    if (Math.abs(Date.now() - performance.now() - apart) > 1500) {
      apart = Date.now() - performance.now();
      ahead = -Infinity;
      refresh();
    }
    if (!over && !sending && performance.now() - lookedAt > HERE) refresh();
    forgetRefusal();
    tick();
  }, 250);

  // ---- sound and keys, on or off; the sound is off until somebody wants it

  let audio = null;

  function isOn(name) {
    try {
      return (localStorage.getItem(`wild-${name}`) ?? (name === "keys" ? "on" : "off")) === "on";
    } catch {
      return name === "keys";
    }
  }

  function ready(part) {
    for (const element of part.querySelectorAll(".js-only")) element.hidden = false;
    for (const button of part.querySelectorAll("[data-switch]")) button.setAttribute("aria-pressed", String(isOn(button.dataset.switch)));
  }

  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-switch]");
    if (!button) return;
    try {
      localStorage.setItem(`wild-${button.dataset.switch}`, isOn(button.dataset.switch) ? "off" : "on");
    } catch {
      return;
    }
    ready(root);
    sound(660, 0.16);
  });

  function sound(hertz, seconds) {
    if (!isOn("sound") || !window.AudioContext) return;
    audio ??= new AudioContext();
    audio.resume();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    tone.type = "triangle";
    volume.gain.setValueAtTime(0.08, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + seconds);
  }

  ready(root);
  const [came] = performance.getEntriesByType("navigation");
  ahead = Number(root.dataset.now) - (came ? came.responseStart : performance.now());
  tick();
  byItself();
  stream.open();
  followLead();

  // Rules, the whole hand and the help of cards aren't needed for the first tap.
  const help = document.createElement("script");
  help.src = document.getElementById("over").dataset.script;
  addEventListener("load", () => document.head.append(help), { once: true });
  let helps = false;
  help.addEventListener("load", () => { helps = true; });
  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (helps || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // it is on its way
    help.addEventListener("load", () => link.click(), { once: true });
    help.addEventListener("error", () => location.assign(link.href), { once: true });
  });

  // Whoever comes to a casual table by a button of their own ("#deal" in the address) is there: this presses the button
  // that says so for them. Without scripts they press it themselves; and also who plays bots ("#start"), if this browser has
  // not shown them yet what is played: then they read the card before the first deal.
  const GAMES = "wild-games";
  function knowsGame() {
    const game = root.querySelector(".start-in") && root.querySelector("#rules-of b")?.textContent;
    if (!game) return true;
    try {
      const known = JSON.parse(localStorage.getItem(GAMES) ?? "[]");
      if (known.includes(game)) return true;
      localStorage.setItem(GAMES, JSON.stringify([...known.slice(-9), game]));
    } catch {
      return true;
    }
    return false;
  }
  if ("arrives" in words && ["#deal", "#start"].includes(location.hash)) {
    const isReady = location.hash === "#deal" || knowsGame();
    history.replaceState(null, "", location.pathname + location.search);
    if (isReady) document.querySelector("form#ready, form#back")?.requestSubmit();
  }
})();
