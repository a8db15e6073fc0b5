// The sheet of a player or a table over the page: a tap on a name opens it, without this script the name leads to its page.
// Each level is an entry of the browser's history, so that Back goes one level, and Escape, the cross and the shade close it.
// It runs before visit.js, which leaves alone what is handled here.
(() => {
  "use strict";

  const IS_SHEET = /\/t\/[^/]+\/(people\/[^/]+|r\/\d+\/tables\/\d+\/sheet)\/$/;
  const HEADERS = { "HX-Request": "true", "HX-Target": "sheet" };
  const SILENT = ["reason", "notes"]; // fields without an effect on the outcome; private ones are in no address
  const BESIDE = 900; // px from which the sheet is beside the name

  let shade = null; // the open dialog
  let opener = null; // the name that was tapped
  let leaving = null; // what happens once the history is back at the page
  let typing = 0; // the timer of what is being typed
  let asked = 0; // the newest request; the answers of older ones come too late

  const addressOf = (link) => link && link.origin === location.origin && IS_SHEET.test(link.pathname) ? link.pathname + link.search : "";
  const depth = () => history.state?.sheet ? history.state.depth : 0;

  function dialog() {
    if (shade) return shade;
    shade = document.createElement("dialog");
    shade.className = "shade";
    shade.setAttribute("aria-labelledby", "sheet-heading");
    document.body.append(shade);
    shade.addEventListener("cancel", (event) => { // Escape
      event.preventDefault();
      close();
    });
    shade.addEventListener("click", (event) => {
      if (event.target === shade || event.target.closest("[data-close]")) return close();
      if (event.target.closest("[data-back]")) return history.back();
    });
    shade.addEventListener("submit", submit);
    shade.showModal();
    return shade;
  }

  // Beside the name, with the arrow at it: at the left of what stands at the right.
  function place() {
    const at = opener?.isConnected && innerWidth >= BESIDE ? opener.getBoundingClientRect() : null;
    if (!at) return delete shade.dataset.side;
    const isLeft = at.left > 480, left = isLeft ? at.left - 440 - 16 : Math.min(at.right + 16, innerWidth - 456);
    shade.style.setProperty("--panel-top", "16px"); // as high as it can be, to measure it
    const room = innerHeight - 16 - (shade.querySelector(".panel")?.offsetHeight ?? 0);
    const top = Math.max(16, Math.min(at.top - 48, room)), arrow = at.top + at.height / 2 - top - 7;
    shade.dataset.side = isLeft ? "left" : "right";
    shade.style.setProperty("--panel-left", `${left}px`);
    shade.style.setProperty("--panel-top", `${top}px`);
    shade.style.setProperty("--panel-arrow", `${Math.max(16, arrow)}px`);
  }

  async function ask(url, options = {}) {
    const mine = ++asked;
    shade?.querySelector(".panel")?.setAttribute("aria-busy", "true");
    let answer = null;
    try {
      answer = await fetch(url, { headers: HEADERS, redirect: "manual", ...options });
    } catch {
      // no connection: said below
    }
    if (mine !== asked) return null;
    shade?.querySelector(".panel")?.removeAttribute("aria-busy");
    if (answer?.type === "opaqueredirect") return { done: true };
    const text = answer && (answer.ok || answer.status === 409 || answer.status === 422) ? await answer.text() : "";
    const part = document.createRange().createContextualFragment(text).querySelector(".panel");
    return { part, status: answer?.status ?? 0 };
  }

  function fail() {
    const { dataset } = document.getElementById("messages");
    const note = document.createElement("p");
    note.className = "note note-bad";
    note.setAttribute("role", "alert");
    note.textContent = navigator.onLine ? dataset.failed : dataset.offline;
    shade.querySelector(".panel-body [role=alert]")?.remove();
    shade.querySelector(".panel-body")?.prepend(note);
  }

  function put(part) {
    shade.replaceChildren(part);
    window.htmx?.process(part);
    place();
  }

  function focusHeading() {
    const wrong = shade.querySelector("[aria-invalid=true]");
    (wrong ?? shade.querySelector("#sheet-heading"))?.focus({ preventScroll: !wrong });
  }

  // Show what an address has; a page that does not answer like a sheet is gone to.
  async function show(url) {
    const answer = await ask(url);
    if (!answer) return;
    if (!answer.part && !shade) return window.wild.go(url);
    if (!answer.part) return fail();
    dialog();
    put(answer.part);
    opener?.classList.add("who-open");
    focusHeading();
  }

  function open(url, replaces) {
    const state = { ...history.state, sheet: url, depth: depth() + (replaces ? 0 : 1), opener: opener?.getAttribute("href") };
    if (replaces) history.replaceState(state, "");
    else history.pushState(state, "");
    show(url);
  }

  function hide() {
    asked += 1;
    shade?.close();
    shade?.remove();
    shade = null;
    const name = opener?.isConnected ? opener : opener && document.querySelector(`a[href="${CSS.escape(opener.getAttribute("href"))}"]`);
    document.querySelector(".who-open")?.classList.remove("who-open");
    name?.focus({ preventScroll: true });
    opener = null;
  }

  // Back to the page, over all levels at once.
  function close(then = null) {
    leaving = then;
    if (depth()) history.go(-depth());
    else hide();
  }

  async function submit(event) {
    const form = event.target;
    if (!form.matches("[data-step]")) return;
    event.preventDefault();
    if (form.dataset.sent) return;
    clearTimeout(typing);
    form.dataset.sent = "1";
    const answer = await ask(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
    if (!answer) return;
    if (answer.done) return close(() => window.wild.go(window.wild.shown(), { answered: "sheet", top: 0 }));
    delete form.dataset.sent;
    if (!answer.part) return fail();
    put(answer.part);
    focusHeading();
  }

  // Another choice has another outcome: only that changes, and what was typed stays.
  async function change({ target, type }) {
    const form = target.form;
    if (!form?.matches("[data-step]") || !form.isConnected || SILENT.includes(target.name)) return;
    clearTimeout(typing);
    const query = new URLSearchParams(new FormData(form));
    for (const name of ["csrfmiddlewaretoken", "form_key", "shown", ...("private" in form.dataset ? SILENT : [])]) query.delete(name);
    const answer = await ask(`${form.action.split("?")[0]}?${query}`);
    if (!answer?.part) return;
    for (const part of ["[data-outcome]", "[data-foot]"]) {
      const [old, now] = [form, answer.part].map((root) => root.querySelector(part));
      if (old && now) old.replaceWith(now);
    }
    const asksWho = !form.querySelector("fieldset") && answer.part.querySelector("fieldset");
    if (type === "change" && shade && asksWho) put(answer.part);
  }

  document.addEventListener("change", change);
  // What is typed has its outcome soon after, so that the button says it before it is tapped.
  document.addEventListener("input", (event) => {
    if (!event.target.form?.matches("[data-step]") || event.target.matches("select, [type=radio], [type=checkbox]")) return;
    clearTimeout(typing);
    typing = setTimeout(() => change(event), 400);
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a[href]"), url = addressOf(link);
    if (!url) return;
    const inside = shade?.contains(link);
    if (!inside && document.querySelector(".sheet-page")) return; // its own page
    event.preventDefault();
    if (!inside) opener = link;
    open(url, inside && link.hasAttribute("data-pick"));
  }, true);

  window.addEventListener("popstate", ({ state }) => {
    if (location.pathname + location.search !== window.wild.shown()) return; // another page comes, without this sheet
    if (state?.sheet) {
      opener ??= state.opener ? document.querySelector(`a[href="${CSS.escape(state.opener)}"]`) : null;
      return show(state.sheet);
    }
    const then = leaving;
    leaving = null;
    if (shade) hide();
    then?.();
  });

  window.addEventListener("resize", () => shade && place());

  // A page that comes again comes without its sheet.
  document.addEventListener("wild:page", ({ detail: { whole } }) => {
    if (!whole) return;
    opener = null;
    if (shade) hide();
    if (history.state?.sheet) history.replaceState({ ...history.state, sheet: undefined }, "");
  });
})();
