// Call the director: the sheet over a table's page, and the call that waits on this phone until the server has it (queue.js).
// Without this script the button leads to a page with the same form.
"use strict";
(() => {
  const queue = globalThis.wildQueue;

  function page(box, signal) {
    const say = box.dataset, [now, here] = ["now", "here"].map((name) => box.querySelector(`[data-call-${name}]`));
    const template = (name) => box.querySelector(`[data-call-${name}]`).content.firstElementChild.cloneNode(true);
    let sheet = null, opener = null;

    function open(link, typed = {}) {
      opener = link;
      sheet = document.createElement("dialog");
      sheet.className = "shade";
      sheet.setAttribute("aria-labelledby", "call-heading");
      sheet.append(template("sheet"));
      sheet.addEventListener("keydown", (event) => event.stopPropagation()); // keys of an online table
      sheet.addEventListener("cancel", (event) => { event.preventDefault(); close(); }); // Escape
      sheet.addEventListener("click", ({ target }) => { if (target === sheet || target.closest("[data-close]")) close(); });
      const form = sheet.querySelector("form");
      form.addEventListener("submit", call);
      for (const [name, value] of Object.entries(typed)) if (value && form.elements[name]) form.elements[name].value = value;
      link?.closest("details[open]")?.removeAttribute("open");
      document.body.append(sheet);
      sheet.showModal();
      sheet.querySelector("#call-heading").focus({ preventScroll: true });
      history.pushState({ ...history.state, call: true }, ""); // Back closes the sheet
    }

    function hide() {
      sheet?.close();
      sheet?.remove();
      sheet = null;
      const link = opener?.isConnected ? opener : box.querySelector("[data-call-open]");
      (link?.closest("details:not([open])")?.querySelector("summary") ?? link ?? box).focus({ preventScroll: true });
    }

    // What had the focus may be gone: it stays in its place.
    function keepFocus(work) {
      const had = box.contains(document.activeElement);
      work();
      if (had && !box.contains(document.activeElement)) box.focus({ preventScroll: true });
    }

    function close() {
      if (history.state?.call) history.back();
      else hide();
    }

    async function call(event) {
      event.preventDefault();
      const form = event.target, sent = Object.fromEntries(new FormData(form));
      if (form.dataset.sent) return;
      form.dataset.sent = "1";
      const { reason = "", text, as, from, who } = sent;
      const label = form.querySelector(":checked + span")?.textContent.trim() ?? "";
      const fields = { reason, text, as, from };
      const n = await queue.add({ kind: "call", url: say.url, who, fields, label }).catch(() => null);
      close();
      if (n === null) return globalThis.wild.send(form); // this browser keeps nothing: send it at once
      await draw();
      queue.send();
    }

    // An online table shows the state itself (games/static/games/play.js).
    const put = (markup) => now && keepFocus(() => now.replaceChildren(document.createRange().createContextualFragment(markup)));

    // What waits here is in the place of the server's state, until the server has it.
    async function draw() {
      const mine = (await queue.calls()).filter((row) => row.url === say.url);
      if (signal.aborted) return;
      for (const row of mine.filter(({ state }) => state === "in")) {
        put(row.box);
        await queue.drop(row.n);
      }
      const row = mine.find(({ state }) => state !== "in");
      const stamp = row ? `${row.n} ${row.state} ${queue.sendingNow() === row.n}` : "";
      if (here.dataset.stamp === stamp) return;
      here.dataset.stamp = stamp;
      keepFocus(() => {
        here.hidden = !row;
        here.replaceChildren(...(row ? [strip(row)] : []));
      });
    }

    function strip(row) {
      const stuck = row.state === "stuck", isTyped = stuck && row.code === "form", made = template(stuck ? "refused" : "waiting");
      made.querySelector("b").textContent = stuck ? row.sentence : queue.sendingNow() === row.n && navigator.onLine ? say.sends : say.waits;
      if (!stuck && row.label) made.querySelector("small").textContent = row.label;
      else made.querySelector("small")?.remove();
      const button = made.querySelector("[data-call-drop]");
      if (isTyped) button.textContent = say.change;
      button.addEventListener("click", async () => {
        await queue.drop(row.n);
        if (isTyped) open(null, row.fields); // to type it again
      });
      return made;
    }

    async function end(form, button) {
      const body = new URLSearchParams(new FormData(form, button));
      const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
      const { box: markup, sentence = "" } = (await answer?.json().catch(() => null)) ?? {};
      if (signal.aborted) return;
      if (!markup) return globalThis.wild.send(form, button); // which tells what is wrong
      put(markup);
      if (!answer.ok && sentence) document.getElementById("live-said")?.replaceChildren(sentence);
    }

    document.addEventListener("click", (event) => {
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target.closest?.("[data-call-open]");
      if (!link) return;
      event.preventDefault();
      open(link);
    }, { capture: true, signal });
    document.addEventListener("submit", (event) => {
      if (!event.target.matches("[data-call-end]")) return;
      event.preventDefault();
      event.stopPropagation();
      end(event.target, event.submitter);
    }, { capture: true, signal });
    addEventListener("popstate", () => { if (sheet && !history.state?.call) hide(); }, { signal });
    signal.addEventListener("abort", () => sheet?.remove());

    const redraw = () => draw().catch(() => {});
    queue.watch(redraw, signal);
    redraw();
    if (!document.querySelector("[data-kept]")) queue.begin(); // waiting.js begins on its pages
  }

  document.addEventListener("wild:page", ({ detail: { signal } }) => {
    const box = document.querySelector("[data-call]");
    if (box && queue && globalThis.HTMLDialogElement) page(box, signal);
  });
})();
