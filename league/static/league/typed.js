// Typed text survives an expired session, a rotated token and a reload: what is typed into a form with [data-keeps] is
// stored in this tab for the signed-in account, and offered again above the form (wording: #messages in base.html).
(() => {
  "use strict";

  const KEY = "wild-typed";
  const SIGNED_OUT = "wild-signed-out";
  const HOURS_12 = 12 * 60 * 60 * 1000;
  const NEVER = "[type=password], [type=hidden], [type=file], [type=submit], [data-private]";
  const { account } = document.body.dataset; // missing on pages for visitors

  // ---- the store: {account, forms: {address: {at, fields, sent}}}

  function read() {
    try {
      const stored = JSON.parse(sessionStorage.getItem(KEY));
      if (account && stored?.account !== account) forget();
      else if (stored) return withoutOld(stored);
    } catch { /* blocked, or not ours */ }
    return { account, forms: {} };
  }

  // Each tab has a store of its own: when one signs out, localStorage tells the others.
  function withoutOld(stored) {
    const oldest = Math.max(Date.now() - HOURS_12, Number(localStorage.getItem(SIGNED_OUT)));
    for (const address in stored.forms) if (!(stored.forms[address].at > oldest)) delete stored.forms[address];
    return stored;
  }

  function write(stored) {
    try {
      if (Object.keys(stored.forms).length) sessionStorage.setItem(KEY, JSON.stringify(stored));
      else forget();
    } catch { /* full or blocked: then it is not stored */ }
  }

  function forget() {
    try { sessionStorage.removeItem(KEY); } catch { /* blocked */ }
  }

  // ---- forms

  function keptForms(part = document) {
    return account ? [...part.querySelectorAll("form[data-keeps]")] : [];
  }

  function addressOf(form) {
    const { pathname, search } = new URL(form.getAttribute("action") || location.href, location.href);
    return pathname + search;
  }

  function fieldsOf(form) {
    return [...form.elements].filter((field) => field.name && field.matches("input, select, textarea") && !field.matches(NEVER));
  }

  const isTick = (field) => field.type === "checkbox" || field.type === "radio";
  const valueOf = (field) => (isTick(field) ? field.checked : field.value);
  const keyOf = (field) => (isTick(field) ? `${field.name}=${field.value}` : field.name);

  function differing(form, { fields }) {
    return fieldsOf(form).filter((field) => keyOf(field) in fields && fields[keyOf(field)] !== valueOf(field));
  }

  function store(form) {
    const stored = read();
    const fields = Object.fromEntries(fieldsOf(form).map((field) => [keyOf(field), valueOf(field)]));
    stored.forms[addressOf(form)] = { at: Date.now(), fields };
    write(stored);
  }

  // ---- while it is typed

  const waiting = new Map(); // by form: the timer that will store it

  function flush() {
    for (const form of waiting.keys()) store(form);
    stopWaiting();
  }

  function stopWaiting() {
    for (const timer of waiting.values()) clearTimeout(timer);
    waiting.clear();
  }

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      const form = target.form?.closest?.("form[data-keeps]");
      if (!form || !account || target.matches(NEVER)) return;
      clearTimeout(waiting.get(form));
      waiting.set(form, setTimeout(() => { waiting.delete(form); store(form); }, 300));
    });
  }
  window.addEventListener("pagehide", flush);

  // ---- when it is sent: the answer says whether it was saved

  document.addEventListener("submit", ({ target: form, defaultPrevented }) => {
    if (form.getAttribute("action")?.endsWith("/logout/")) {
      stopWaiting();
      forget();
      try { localStorage.setItem(SIGNED_OUT, Date.now()); } catch { /* blocked */ }
      return;
    }
    flush();
    const stored = read(), entry = form.matches("[data-keeps]") && stored.forms[addressOf(form)];
    if (!entry || (defaultPrevented && !form.dataset.sent)) return; // a script keeps it back
    entry.sent = true;
    write(stored);
  });

  // Forget what was sent, unless this page is no answer to it, refuses it, or shows it again to be corrected.
  function arrive(isRefused) {
    const stored = read();
    for (const [address, entry] of Object.entries(stored.forms)) {
      if (!entry.sent) continue;
      const isShown = keptForms().some((form) => addressOf(form) === address && form.matches("[data-bound]"));
      if (account && !isRefused && !isShown) delete stored.forms[address];
      else delete entry.sent;
    }
    write(stored);
  }

  // ---- the offer

  function countOf(text) {
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
    if (lines.length > 1) return lines.length;
    return (lines[0] ?? "").split(/[,;]/).filter((name) => name.trim()).length;
  }

  function wordsFor(form, entry) {
    const words = document.getElementById("messages").dataset;
    const count = countOf(String(entry.fields.players ?? ""));
    if (form.dataset.keeps !== "names" || !count) return words.restore;
    return count === 1 ? words.restoreOne : words.restoreMany.replace("{count}", count);
  }

  function offer(form) {
    const entry = read().forms[addressOf(form)];
    if (form.matches("[data-bound]") || form.previousElementSibling?.matches("[data-restore]")) return;
    if (!entry || !differing(form, entry).length) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-wide mt-s mb";
    button.dataset.restore = "";
    button.textContent = wordsFor(form, entry);
    button.addEventListener("click", () => {
      const fields = differing(form, entry);
      for (const field of fields) {
        if (isTick(field)) field.checked = entry.fields[keyOf(field)];
        else field.value = entry.fields[keyOf(field)];
        field.closest("details")?.setAttribute("open", "");
      }
      button.remove();
      for (const field of fields) {
        for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
      }
      (fields.find((field) => field.matches("textarea")) ?? fields[0])?.focus();
    });
    form.before(button);
  }

  document.addEventListener("wild:answer", ({ detail: { refused } }) => {
    arrive(refused);
    keptForms().forEach(offer);
  });
  document.addEventListener("wild:page", ({ detail: { signal } }) => {
    signal.addEventListener("abort", flush);
    if (window.wild.moved()) keptForms().forEach(offer);
  });

  // After the browser has restored the form.
  window.addEventListener("pageshow", ({ persisted }) => {
    const [came] = performance.getEntriesByType("navigation");
    arrive(persisted || came?.type !== "navigate" || Boolean(document.querySelector("[data-refused]")));
    keptForms().forEach(offer);
  });
})();
