// An open page that changes by itself. The stream says only that something changed; the page then fetches its own
// address once and takes over what is different in the parts marked data-live, node by node: focus, scrolling, open
// details and what is being typed stay as they are. While the stream is down the page looks every 20 seconds. Nothing
// moves under a thumb: what is new waits until no button was tapped for a moment, or while taps are on their way (taps.js).
(() => {
  "use strict";

  const LOOK = 20000; // milliseconds
  const JITTER = 300; // so that a hall full of phones does not ask in the same moment
  const QUIET = 1500; // after a tap: the next one is aimed at what is seen now
  const HOLD = 300; // then it is asked again whether all is quiet
  const AGAIN = [500, 2000, 5000, 10000, LOOK]; // waits before the stream is tried again

  // One stream for each tournament, for as long as the visit shows its pages (visit.js).
  const streams = new Map(); // by address: { stream, heard, isUp }
  let page = null; // the signal of the page that is shown; it aborts when that goes
  let sign = null, words = {}; // where the page says whether it is live, and what it has to say
  let known = new Map(); // by the streams' addresses: the versions that the page shows
  let fetching = false;
  let wanted = false;
  let over = false;
  let touched = -QUIET; // when a button was tapped, or began to be

  function arrive({ detail: { signal, whole } }) {
    page = signal;
    if (!whole) return goOnWithAnswer();
    sign = document.getElementById("live");
    words = sign?.dataset ?? {};
    over = fetching = wanted = false;
    known = sign ? versionsIn(words) : new Map();
    const { visit } = document.body.dataset;
    for (const [address, { stream }] of streams) {
      // A page that does not change, as one that corrects a hand, leaves the stream of its tournament open.
      if (known.has(address) || (!sign && visit && address.startsWith(visit))) continue;
      stream.stop();
      streams.delete(address);
    }
    for (const address of known.keys()) streams.has(address) ? goOn(streams.get(address), address) : open(address);
  }

  // The versions that a page shows, by the addresses of their streams; a page of several tournaments has other ones too.
  function versionsIn({ stream, version, also = "" }) {
    const others = [...also.matchAll(/(\S+)=(\d+)/g)].map(([, address, at]) => [address, at]);
    return new Map([[stream, version], ...others]);
  }

  // A form has changed the page: what its answer brought need not be fetched again, and what was asked before is older.
  function goOnWithAnswer() {
    takeVersion();
    fetching = wanted = false;
    for (const [address, one] of streams) if (known.has(address)) goOn(one, address);
  }

  function takeVersion() {
    const brought = document.querySelector("[data-live][data-version]")?.dataset.version;
    if (Number(brought) > Number(known.get(words.stream))) known.set(words.stream, brought);
  }

  function open(address) {
    const one = { heard: null, isUp: null };
    one.stream = wildStream({
      address,
      version: () => known.get(address) ?? one.heard ?? "",
      waits: AGAIN,
      every: LOOK,
      changed: (newest) => { one.heard = newest; if (known.has(address) && newest !== known.get(address)) refresh(); },
      look: refresh,
      up: () => { one.isUp = true; tell(one, address); },
      lost: () => { one.isUp = false; tell(one, address); },
      rests: true,
    });
    streams.set(address, one);
    one.stream.open();
  }

  // The page may be older than what its stream has told on the page before.
  function goOn(one, address) {
    tell(one, address);
    if (Number(one.heard) > Number(known.get(address))) refresh();
  }

  // The stream of the page's own tournament says how it is.
  function tell({ stream, isUp }, address) {
    if (over || address !== words.stream || isUp === null) return;
    if (isUp) show("on", words.liveWord);
    else show("off", stream.looks() && navigator.onLine ? words.looking : words.offline);
  }

  const looks = () => streams.get(words.stream)?.stream.looks() ?? false;

  function show(state, word) {
    if (sign.textContent === word) return;
    if (state !== "on") say(word);
    sign.dataset.state = state;
    sign.textContent = word;
  }

  function say(word) {
    document.getElementById("live-said").textContent = word;
  }

  function stop() {
    over = true;
    for (const { stream } of streams.values()) stream.stop();
    streams.clear();
    show("gone", words.gone);
  }

  // Show this address again, since what came has to be set up by its own scripts.
  function reload() {
    if (document.body.dataset.visit) wild.go(wild.shown());
    else location.reload();
  }

  // ---- fetching the page, one request at a time however many events come

  function refresh() {
    if (wanted || over || !sign) return;
    wanted = true;
    if (!fetching) later(fetchPage, Math.random() * JITTER);
  }

  // What this page was to do does not happen on another one.
  function later(work, time) {
    const signal = page;
    setTimeout(() => { if (!signal.aborted) work(); }, time);
  }

  // Whether someone is tapping, or the answer to it is on its way: that shows the newest anyway, and what was done.
  function held() {
    if ("going" in document.documentElement.dataset) return true;
    return performance.now() - touched < QUIET || Boolean(document.querySelector("[data-tapping]"));
  }

  // What a tap or a search has brought may be newer than a page that was asked for before.
  function isOlder(fresh) {
    const parts = [...document.querySelectorAll("[data-live][data-version], [data-live] [data-version]")];
    return parts.some((part) => Number(fresh.getElementById("live")?.dataset.version) < Number(part.dataset.version));
  }

  async function fetchPage() {
    if (held()) {
      later(fetchPage, HOLD);
      return;
    }
    wanted = false;
    fetching = true;
    let came = false;
    const mine = page, address = wild.shown();
    try {
      const signal = AbortSignal.timeout(LOOK);
      const answer = await fetch(address, { cache: "no-store", headers: { Accept: "text/html", "Wild-Live": "1" }, signal });
      const text = await answer.text();
      if (mine.aborted) return;
      if ([403, 404, 410].includes(answer.status)) return stop();
      if (answer.status === 409) return location.reload();  // what this page showed was undone: a page says what to do
      came = answer.ok;
      if (came) {
        const fresh = new DOMParser().parseFromString(text, "text/html");
        // A search or the next rows have changed what this page shows meanwhile.
        if (held() || address !== wild.shown()) wanted = true;
        else if (isOlder(fresh)) came = false;
        else take(fresh);
        if (sign.dataset.state === "off" && looks()) show("off", words.looking);
      }
    } catch {
      if (mine.aborted) return;
      if (looks()) show("off", words.offline);
      came = false;
    }
    fetching = false;
    if (wanted) later(fetchPage, Math.random() * JITTER);
    // No one tells a second time what this request did not bring. Without a stream the page looks again anyway.
    else if (!came && !over && !looks() && !document.hidden) later(refresh, AGAIN[1]);
  }

  function take(fresh) {
    const now = fresh.getElementById("live");
    if (!now) return stop(); // another page answers here: signed out, or led elsewhere
    // A table's page for everybody becomes the one for entering hands, with a link or a role; a form that is open, and
    // may not be sent any more, is not taken away.
    if (now.dataset.kind !== words.kind) return words.kind ? reload() : stop();
    known = versionsIn({ ...now.dataset, stream: words.stream });
    sign.className = now.className;
    document.dispatchEvent(new CustomEvent("wild:takes", { detail: { fresh } }));
    const changes = new Changes();
    const active = document.activeElement;
    for (const part of document.querySelectorAll("[data-live]")) {
      const newer = fresh.getElementById(part.id);
      if (!newer) continue;
      // What its own script has to set up is loaded whole.
      if (newer.dataset.shows !== part.dataset.shows) return reload();
      changes.keep(part);
      morph(part, document.importNode(newer, true), changes);
      part.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true })); // times in the viewer's zone (wild.js)
      if (window.htmx) window.htmx.process(part);
    }
    if (fresh.getElementById("five")) document.title = fresh.title; // it has the number of the inbox
    // A row that moved takes what is in it out of focus for a moment.
    if (active && active !== document.activeElement && active.isConnected) active.focus({ preventScroll: true });
    changes.tell();
  }

  // ---- taking over what is different

  class Changes {
    lit = new Set();
    moved = [];
    kept = new Set();
    any = false;

    // Forms in which something was typed stay as they are, and so does the answer that a search form has filled in.
    keep(part) {
      for (const own of part.querySelectorAll("[data-own]")) this.kept.add(own);
      for (const form of part.querySelectorAll("form")) {
        if (!typed(form)) continue;
        this.kept.add(form);
        const target = form.method === "get" && form.getAttribute("hx-target");
        if (target && target.startsWith("#")) this.kept.add(document.querySelector(target));
      }
    }

    tell() {
      if (!this.any) return;
      for (const node of this.lit) light(node);
      say([words.said, ...this.moved.slice(0, 3)].join(". "));
    }
  }

  function typed(form) {
    if (form.dataset.sent || "typed" in form.dataset) return true;
    return [...form.elements].some((field) => {
      if (field.type === "hidden" || field.type === "submit" || field.type === "button") return false;
      if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
      if (field.tagName === "SELECT") {
        const given = [...field.options].some((option) => option.defaultSelected);
        return [...field.options].some((option, at) => option.selected !== (given ? option.defaultSelected : at === 0));
      }
      return "defaultValue" in field && field.value !== field.defaultValue;
    });
  }

  function light(node) {
    node.classList.remove("changed");
    node.getBoundingClientRect(); // begins the animation anew
    node.classList.add("changed");
    setTimeout(() => node.classList.remove("changed"), 1700);
  }

  function morph(old, fresh, changes) {
    if (changes.kept.has(old)) return keepForm(old, fresh);
    attributes(old, fresh);
    children(old, fresh, changes);
  }

  function attributes(old, fresh) {
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value && !own(old, name)) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !own(old, name)) old.removeAttribute(name);
    }
  }

  // What the viewer has opened, and what the page's own scripts have put there.
  function own(element, name) {
    if (name === "open" && element.tagName === "DETAILS") return true;
    if (name.startsWith("hx-") && element.method === "post") return true; // wild.js sends it in place
    return name === "data-sent" || name === "data-typed" || name === "data-on" || (name === "title" && element.tagName === "TIME");
  }

  function children(old, fresh, changes) {
    const byKey = new Map();
    for (const child of old.children) {
      const name = key(child);
      if (name && !byKey.has(name)) byKey.set(name, child);
    }
    const before = [...byKey.keys()];
    const after = [...new Set([...fresh.children].map(key).filter(Boolean))];
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      while (at && at.dataset && "liveNewer" in at.dataset) at = at.nextSibling;
      const name = next.nodeType === 1 ? key(next) : "";
      const known = name ? byKey.get(name) : at && alike(at, next) && !key(at) ? at : null;
      if (name) byKey.delete(name);
      if (!known) {
        old.insertBefore(next, at);
        changed(next, changes);
        continue;
      }
      if (known === at) at = at.nextSibling;
      else old.insertBefore(known, at);
      if (known.nodeType === 1) {
        morph(known, next, changes);
        if (name && before.indexOf(name) !== after.indexOf(name)) moved(known, changes);
      } else if (known.data !== next.data) {
        known.data = next.data;
        if (next.data.trim()) changed(known, changes);
      }
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      if (changes.kept.has(gone) || (gone.dataset && "liveNewer" in gone.dataset)) continue;
      if (gone.nodeType === 1) changes.any = true;
      gone.remove();
    }
  }

  // Rows and lines are the same by whom they lead to, wherever they stand.
  function key(node) {
    if (!node || node.nodeType !== 1) return "";
    if (node.id) return `#${node.id}`;
    if (node.tagName !== "TR" && node.tagName !== "LI") return "";
    const link = node.querySelector("a[href]");
    return link ? link.getAttribute("href") : "";
  }

  function alike(one, other) {
    return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
  }

  function changed(node, changes) {
    const element = node.nodeType === 1 ? node : node.parentElement;
    if (!element || element.closest("time")) return;
    changes.any = true;
    changes.lit.add(element.closest("td, tr, li, text, p, h2") || element);
  }

  function moved(row, changes) {
    changes.any = true;
    changes.lit.add(row);
    const rank = row.querySelector(".rank");
    const who = row.querySelector(".who a");
    if (rank && who) changes.moved.push(`${who.textContent} ${rank.textContent}`);
  }

  function keepForm(form, fresh) {
    if (form.tagName !== "FORM" || fresh.tagName !== "FORM" || form.dataset.sent) return;
    const fresh_each_time = ["csrfmiddlewaretoken", "form_key"];
    const hidden = [...form.elements].filter((field) => field.type === "hidden" && !fresh_each_time.includes(field.name));
    const differs = hidden.some((field) => {
      const other = fresh.elements.namedItem(field.name);
      return other && other.value !== field.value;
    });
    if (form.method === "get") {
      for (const field of hidden) field.value = fresh.elements.namedItem(field.name)?.value ?? field.value;
      if (form.hasAttribute("hx-get") && window.htmx) window.htmx.trigger(form, "submit");
    } else if (differs || form.textContent !== fresh.textContent) {
      offer(form);
    }
  }

  function offer(form) {
    if (form.nextElementSibling && "liveNewer" in form.nextElementSibling.dataset) return;
    const note = document.createElement("p");
    note.dataset.liveNewer = "";
    note.className = "small live-newer";
    const link = document.createElement("a");
    link.className = "line-link";
    link.href = wild.shown();
    link.textContent = words.show;
    note.append(`${words.newer} `, link);
    form.after(note);
  }

  for (const what of ["pointerdown", "pointerup", "click"]) {
    document.addEventListener(what, (event) => {
      if (event.target.closest?.("[data-live] button, [data-live] summary")) touched = performance.now();
    }, { capture: true, passive: true });
  }
  document.addEventListener("htmx:afterSettle", takeVersion); // a search
  document.addEventListener("wild:look", refresh);
  document.addEventListener("wild:page", arrive);
})();
