// Moves through a tournament or a club without loading pages: a link is fetched, and its page takes the place of the one that is
// there; a form is sent, and its answer is shown the same way (docs/decisions/0035-a-visit-loads-once.md). Pages that
// can be visited name their place, <body data-visit="/t/.../">. All others are loaded, and without this script all pages are.
//
// Scripts of a page set it up on the event "wild:page", which comes after the first load, each visit and each answer to a
// form. Its `detail.signal` aborts when what came goes again; `detail.whole` is false if the rest of the page stayed.
// "wild:answer" says that a form was answered, with `detail.refused` if not as hoped, and comes before a visit that follows.
//
// wild.go(address, { from, moves, top })  go to an address; resolves to false if this page had to stay
// wild.send(form, button)                 send a form and show its answer
// wild.shown()                            the address of the page that is shown
// wild.readdress(address)                 note the address of what this page shows now, as after a search
// wild.moved()                            whether a page was visited since the first load
window.wild = (() => {
  "use strict";

  const PATIENCE = 20000; // milliseconds
  const ANNOUNCED = 100;
  const TABLES = /^(tables\/\d+\/(disputes\/)?|hands\/\d+\/(correct|dispute)\/)$/; // pages of a tournament with short addresses
  const AROUND = ["heading", "where", "five", "sub"]; // what an answer may change around the page
  const OVERTAKEN = Symbol("something newer was asked for");

  let shown = pathOf(location);
  let entry = history.state?.wild ?? 0; // the number of this page in the history of the visit
  let isAnswer = false; // whether the answer to a form is shown, which cannot be fetched again
  let leaving = new AbortController(); // of the page
  let asking = null; // the controller of the request that is under way
  let visits = 0;
  const tops = new Map(); // by the number in the history: where the page was scrolled to

  function pathOf({ pathname, search }) {
    return pathname + search;
  }

  function place() {
    return document.body.dataset.visit ?? "";
  }

  function isInPlace({ origin, pathname }) {
    if (!place() || origin !== location.origin || /\.\w+$/.test(pathname)) return false;
    const base = /^(.*\/)t\/[^/]+\/$/.exec(place())?.[1]; // "/", or the path of WILD_URL
    return pathname.startsWith(place()) || (base && pathname.startsWith(base) && TABLES.test(pathname.slice(base.length)));
  }

  // ---- messages

  function say(text) {
    const note = document.createElement("div");
    note.className = "note note-bad";
    note.textContent = text;
    document.getElementById("messages").replaceChildren(note);
  }

  // An answer that is no page of this place says why above the page, on which everything typed stays.
  function sayWhy(answer) {
    const words = [...answer.querySelectorAll("main h1, main h1 ~ p, main h2, main h2 ~ p")].slice(0, 2);
    say(words.map((part) => part.textContent.trim()).join(". ") || document.getElementById("messages").dataset.failed);
  }

  function lost(word) {
    say(document.getElementById("messages").dataset[word]);
    return false;
  }

  // ---- requests

  // Returns { answer, fresh }, null without a connection, or OVERTAKEN.
  async function ask(to, options = {}) {
    asking?.abort();
    const mine = asking = new AbortController();
    const late = options.method ? 0 : setTimeout(() => mine.abort(), PATIENCE);
    document.documentElement.dataset.going = "";
    try {
      const headers = { Accept: "text/html", "Wild-Visit": "1" };
      const answer = await fetch(to, { cache: "no-store", headers, signal: mine.signal, ...options });
      const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
      const fresh = new DOMParser().parseFromString(isPage ? await answer.text() : "", "text/html");
      if (!isPage && !answer.headers.has("Wild-Go")) mine.abort(); // a file: the browser loads it
      return asking === mine ? { answer, fresh } : OVERTAKEN;
    } catch {
      return asking === mine ? null : OVERTAKEN;
    } finally {
      clearTimeout(late);
      if (asking === mine) {
        asking = null;
        delete document.documentElement.dataset.going;
      }
    }
  }

  // Load a page. Nothing goes on after it.
  function load(to) {
    if (pathOf(to) === pathOf(location)) location.reload();
    else location.assign(to);
    return new Promise(() => {});
  }

  // Go to an address. `from`: the link or field that leads there. `moves`: whether the history gets an entry ("push"), its
  // entry another address ("replace"), or has moved already ("moved"). `answered`: after a form. `top`: begin at the top.
  async function go(address, { from = null, moves = "push", answered = null, top = null } = {}) {
    const to = new URL(address, location.href);
    if (!isInPlace(to)) return load(to);
    const came = await ask(to);
    if (came === OVERTAKEN) return true;
    if (!came) return lost("lost");
    const { answer, fresh } = came;
    if (answer.status === 429 || answer.status >= 500) {
      sayWhy(fresh);
      return false;
    }
    const at = answer.redirected ? new URL(answer.url) : to;
    if (answer.redirected && !at.hash) at.hash = to.hash;
    const ready = await prepare(fresh);
    if (ready === null) return load(at);
    if (!ready) return lost("lost");
    const isSame = pathOf(at) === shown;
    const isSamePage = answered ? isSame : !isAnswer && at.pathname === new URL(shown, location.href).pathname;
    const stays = top === null && isSamePage;
    const spot = { stays, from: answered ?? nameOf(from), top: top ?? 0, y: scrollY, hash: at.hash };
    if (answered && isSame && replaceParts(fresh, spot)) {
      isAnswer = false;
      if (at.hash) history.replaceState(history.state, "", at);
      return true;
    }
    remember(at, isSame && moves === "push" ? "replace" : moves);
    if (answered && isAnswer) spot.stays = false; // the answer was another page than the one that comes back
    isAnswer = false;
    replacePage(fresh);
    arrive(spot);
    return true;
  }

  async function send(form, button = null) {
    const to = new URL(button?.getAttribute("formaction") || form.getAttribute("action") || pathOf(location), location.href);
    const fields = new FormData(form), pressed = nameOf(button);
    if (button?.name) fields.append(button.name, button.value);
    const body = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
    const came = await ask(to, { method: "POST", body });
    if (came === OVERTAKEN) return;
    const { answer, fresh } = came ?? {};
    const next = answer?.headers.get("Wild-Go");
    if (next) {
      if (isInPlace(new URL(next, location.href))) tell(false);
      await go(next, { answered: pressed || "form" });
      delete form.dataset.sent;
      return;
    }
    delete form.dataset.sent;
    const ready = answer && (await prepare(fresh));
    if (!ready) {
      if (answer) sayWhy(fresh);
      else lost("offline");
      tell(true);
      return;
    }
    const refused = answer.status >= 400;
    const spot = { stays: true, from: pressed, top: 0, y: scrollY, hash: "", refused };
    if (!replaceParts(fresh, spot)) {
      replacePage(fresh);
      scrollTo({ top: 0, behavior: "instant" });
      arrive({ ...spot, stays: false });
    }
    isAnswer = true;
    keepAddress(answer);
    tell(refused);
  }

  function tell(refused) {
    document.dispatchEvent(new CustomEvent("wild:answer", { detail: { refused } }));
  }

  // What came from another address has forms without one that are meant for that.
  function keepAddress(answer) {
    const at = pathOf(new URL(answer.url));
    if (at === shown) return;
    for (const form of document.querySelectorAll("main form:not([action])")) form.action = at;
  }

  // ---- taking a page over

  // Load the style sheets and scripts that this document does not have yet. Returns null if the answer is no page of
  // this place, or of a newer version of the service: then it has to be loaded. Returns false without a connection.
  async function prepare(fresh) {
    if (!place() || fresh.body.dataset.visit !== place()) return null;
    const sourceOf = (script) => script.getAttribute("src");
    const plain = (address) => address.replace(/\?.*/, "").replace(/\.[0-9a-f]{12}(?=\.\w+$)/, "");
    const have = [...document.querySelectorAll("script[src]")].map(sourceOf);
    const wanted = [...fresh.querySelectorAll("head script[src]")].map(sourceOf).filter((address) => !have.includes(address));
    if (wanted.some((address) => have.some((other) => plain(other) === plain(address)))) return null;
    const scripts = wanted.map((src) => Object.assign(document.createElement("script"), { src, async: false }));
    const arriving = [...styles(fresh), ...scripts].map((node) => new Promise((resolve) => {
      node.addEventListener("load", () => resolve(true));
      node.addEventListener("error", () => { node.remove(); resolve(false); });
    }));
    document.head.append(...scripts);
    return (await Promise.all(arriving)).every(Boolean);
  }

  const sheetsOf = (root) => [...root.querySelectorAll("head link[rel=stylesheet]")];

  // New ones go where the cascade has them, and wait for their page.
  function styles(fresh) {
    const came = [];
    let last = null;
    for (const { attributes } of sheetsOf(fresh)) {
      const href = attributes.href.value;
      let link = sheetsOf(document).find((other) => other.getAttribute("href") === href);
      if (!link) {
        link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, media: "print" });
        if (last) last.after(link);
        else document.head.append(link);
        came.push(link);
      }
      last = link;
    }
    return came;
  }

  function dress(fresh) {
    const wanted = sheetsOf(fresh).map((link) => link.getAttribute("href"));
    for (const link of sheetsOf(document)) {
      if (!wanted.includes(link.getAttribute("href"))) link.remove();
      else if (link.media === "print") link.media = "all";
    }
  }

  function leave() {
    leaving.abort();
    leaving = new AbortController();
  }

  function replacePage(fresh) {
    leave();
    visits += 1;
    dress(fresh);
    const { body } = document;
    for (const { name } of [...body.attributes]) body.removeAttribute(name);
    for (const { name, value } of fresh.body.attributes) body.setAttribute(name, value);
    body.replaceChildren(...fresh.body.childNodes);
    document.title = fresh.title;
    window.htmx?.process(body);
    announce(document.getElementById("messages"));
  }

  // A region that comes with its words is silent: they come a moment later.
  function announce(region) {
    const words = [...region.childNodes];
    region.replaceChildren();
    setTimeout(() => region.append(...words), ANNOUNCED);
  }

  function arrive(spot, page) {
    settle(spot, page);
    setUp(!page);
  }

  function setUp(whole) {
    document.dispatchEvent(new CustomEvent("wild:page", { detail: { signal: leaving.signal, whole } }));
  }

  // A form's answer that is the same page changes what is in it, and leaves the rest: the live sign, a search beside it.
  // Returns false if it is another page.
  function replaceParts(fresh, spot) {
    const kind = document.getElementById("page")?.dataset.inPlace || "page";
    const [old, page] = [document.getElementById(kind), fresh.getElementById(kind)];
    if (!old || !page) return false;
    const was = { live: old.matches("[data-live]") ? old.dataset.version : null, preview: old.querySelector("[data-arrive]") !== null };
    leave();
    document.getElementById("messages").replaceChildren(...fresh.getElementById("messages").childNodes);
    for (const id of AROUND) {
      const newer = fresh.getElementById(id);
      if (newer) document.getElementById(id)?.replaceWith(newer);
    }
    document.title = fresh.title;
    old.replaceWith(page);
    // A refused form's page goes on changing by itself, but for what was typed into its forms (live.js).
    if (spot.refused && was.live !== null && !page.matches("[data-live]")) {
      for (const form of page.querySelectorAll("form")) form.dataset.typed = "";
      Object.assign(page.dataset, { live: "", version: was.live });
    }
    window.htmx?.process(page);
    if (was.preview && !spot.refused) spot.stays = false;
    arrive(spot, page);
    return true;
  }

  // ---- where the reader is afterwards

  // What tells a control of one page from the others, to find it again in the next.
  function nameOf(control) {
    if (!control) return "";
    const { tagName, name, value, textContent } = control, at = control.getAttribute("href") ?? control.form?.getAttribute("action");
    return [tagName, at, name, tagName === "SELECT" ? "" : value, at && tagName === "A" ? "" : textContent.trim()].join("|");
  }

  function settle({ stays, from, top, y, hash, refused = false }, page = document.getElementById("page") ?? document.getElementById("main")) {
    const field = refused ? page.querySelector("[aria-invalid=true]") : null;
    const wrong = field ?? (refused ? page.querySelector("[role=alert]") : null);
    if (wrong) {
      wrong.scrollIntoView({ block: "center" });
      if (field) return field.focus();
      return focusOn(page);
    }
    const named = hash && document.getElementById(hash.slice(1));
    if (named) {
      focusOn(named);
      return named.scrollIntoView();
    }
    const heading = page.querySelector("[data-arrive]");
    if (heading && !refused) {
      focusOn(heading);
      return heading.scrollIntoView();
    }
    if (!stays) {
      scrollTo({ top, behavior: "instant" });
      return focusOn(headingOf(page) ?? page);
    }
    scrollTo({ top: y, behavior: "instant" });
    if (document.activeElement !== document.body) return;
    focusOn([...document.querySelectorAll("main :is(a, button, select)")].find((other) => nameOf(other) === from) ?? page);
  }

  function focusOn(element) {
    if (!element.matches("a, button, input, select, textarea, summary")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }

  // Pages of a place share the heading with its name: then the first one of the page says more.
  let lastHeading = document.querySelector("h1")?.textContent;
  function headingOf(page) {
    const first = document.querySelector("h1"), isNew = first && first.textContent !== lastHeading;
    lastHeading = first?.textContent;
    const own = [...page.querySelectorAll("h2")].find((heading) => heading.offsetParent);
    return isNew ? first : own ?? first;
  }

  // ---- the history of the visit: addresses only. A page on the way back is fetched again, so that nothing in it is old.

  function remember(at, moves) {
    if (moves === "push") {
      tops.set(entry, scrollY);
      history.scrollRestoration = "manual";
      entry += 1;
      history.pushState({ wild: entry }, "", at);
    } else if (moves === "replace") {
      history.replaceState({ ...history.state, wild: entry }, "", at);
    } else {
      entry = history.state?.wild ?? entry;
      if (pathOf(at) !== pathOf(location)) history.replaceState({ wild: entry }, "", at);
    }
    shown = pathOf(at);
  }

  // What was on its way is not wanted any more.
  function stay() {
    asking?.abort();
    asking = null;
    delete document.documentElement.dataset.going;
  }

  function readdress(address) {
    remember(new URL(address, location.href), "replace");
  }

  async function goBack() {
    if (pathOf(location) === shown && !isAnswer) return stay(); // to another part of this page
    tops.set(entry, scrollY);
    const to = history.state?.wild ?? entry;
    const went = await go(location.href, { moves: "moved", top: tops.get(to) ?? 0 });
    if (!went && to !== entry) history.go(entry - to); // the address of the page that stays
  }

  // ---- what leads somewhere

  function follow(event) {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a[href]");
    if (!link || link.hasAttribute("download") || !["", "_self"].includes(link.getAttribute("target") ?? "")) return;
    const to = new URL(link.href.baseVal ?? link.href, location.href);
    if (!isInPlace(to) || (to.hash && pathOf(to) === shown && !isAnswer)) return;
    event.preventDefault();
    go(to, { from: link });
  }

  function submit(event) {
    const form = event.target, button = event.submitter;
    if (event.defaultPrevented || !place() || !form.closest("main")) return;
    if (form.method === "post") {
      event.preventDefault();
      send(form, button);
      return;
    }
    const to = new URL(form.getAttribute("action") || location.pathname, location.href), fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    to.search = new URLSearchParams(fields);
    if (!isInPlace(to)) return;
    event.preventDefault();
    go(to, { from: button });
  }

  document.addEventListener("click", follow);
  document.addEventListener("submit", submit);
  window.addEventListener("popstate", goBack);
  // The browser scrolls a page that is loaded again.
  window.addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  document.addEventListener("DOMContentLoaded", () => {
    if (place() && history.state?.wild === undefined) history.replaceState({ wild: entry }, "");
    setUp(true);
  });

  return { go, send, readdress, shown: () => shown, moved: () => visits > 0 };
})();
