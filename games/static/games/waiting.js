// Shows on the pages of a scorer the hands that wait on this phone (queue.js), and lets a table's page go on without the
// server: to the next empty hand, with what was half typed. All of its texts stand in the page (_queue.html).
"use strict";
(() => {
  const PATIENCE = 4_000;  // then the page goes on, and the hand is sent meanwhile
  const queue = globalThis.wildQueue;
  const TYPED = /^(went_out|(cards|count|points)_\d+)$/;

  const words = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  const counted = (say, name, count, values = {}) => words(count === 1 ? say[`${name}One`] : say[`${name}Many`], { count, ...values });
  const clock = (at) => {
    const time = new Date(at), today = time.toDateString() === new Date().toDateString();
    const day = today ? {} : { day: "numeric", month: "short" };
    return time.toLocaleString(document.documentElement.lang.replace(/^en$/, "en-GB"), { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...day });
  };

  // --- The list

  const isOut = (hand) => [403, 404, 410].includes(hand.status) || hand.code === "link-ended";
  const isTaken = (hand) => hand.code === "taken";
  const isWrong = (hand) => (hand.status === 422 && !isOrder(hand)) || hand.code === "seating-changed";
  const isOrder = (hand) => hand.code === "order";  // it waits for an earlier hand of its table
  const isForeign = (hand) => hand.code === "somebody-else";
  const adviceFor = (hand) =>
    isForeign(hand) ? "adviceForeign" : isOrder(hand) ? "adviceOrder" : hand.code === "over" ? "adviceOver" : isTaken(hand) ? "adviceTaken" : isWrong(hand) ? "adviceWrong" : isOut(hand) ? "adviceOut" : "adviceClosed";

  const asText = (hand, say) =>
    [hand.tournament, words(say.slot, hand), hand.title, ...hand.lines.map((line) => `${line.name}${say.colon}${[line.what, line.cards].filter(Boolean).join("; ")}`), clock(hand.at)].join("\n");

  // A typed hand as the ordinary form, which the server answers with its page: both versions, or what is wrong with it.
  function fill(form, hand) {
    form.action = hand.url;
    form.querySelectorAll("input").forEach((input) => input.remove());
    const token = document.cookie.match(/(?:^|; )(?:wild_)?csrftoken=([^;]*)/)?.[1] ?? "";
    const fields = { ...hand.fields, hand: hand.hand, seating_version: hand.seating, key: hand.key, csrfmiddlewaretoken: token };
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
  }

  function row(section, hand, here) {
    const say = section.dataset, item = section.querySelector("template").content.firstElementChild.cloneNode(true);
    const find = (name) => item.querySelector(`[data-${name}]`);
    item.dataset.n = hand.n;
    item.dataset.key = hand.key;
    find("hand").textContent = hand.hand;
    find("title").textContent = hand.title;
    const when = hand.table === here ? clock(hand.at) : `${words(say.slot, hand)}, ${clock(hand.at)}`;
    find("about").textContent = hand.state === "in" ? hand.sentence : [when, ...hand.lines.map((line) => `${line.name}${say.colon}${line.what}`)].join(". ");
    const stuck = hand.state === "stuck";
    find("why").hidden = !stuck;
    if (stuck) find("sentence").textContent = hand.sentence, find("advice").textContent = say[adviceFor(hand)];
    find("tools").hidden = hand.state === "in";
    const looks = stuck && (isTaken(hand) || isWrong(hand));
    find("both").hidden = !looks;
    find("look").textContent = section.querySelector(isTaken(hand) ? "[data-look-both]" : "[data-look-wrong]").textContent;
    find("again").hidden = !stuck || looks;
    find("copy").hidden = !stuck;
    find("sure").textContent = words(stuck ? say.sure : say.sureWaiting, hand);
    find("both").addEventListener("submit", async (event) => {
      event.preventDefault();
      await queue.change(hand.n, { again: true });  // the next page decides, and the page after it finds out
      fill(find("both"), hand);
      find("both").submit();
    });
    // A press sends it in the name of whoever uses the phone now, even if somebody else typed it.
    find("again").addEventListener("click", async () => { await queue.again(hand.n, { who: "" }); queue.send(); });
    find("discard").addEventListener("click", () => { find("tools").hidden = true; find("ask").hidden = false; find("no").focus(); });
    find("no").addEventListener("click", () => { find("ask").hidden = true; find("tools").hidden = false; find("discard").focus(); });
    find("yes").addEventListener("click", () => queue.drop(hand.n));
    find("copy").addEventListener("click", () => {
      const box = find("copied"), area = box.querySelector("textarea");
      box.hidden = false;
      area.value = asText(hand, say);
      area.select();
      document.execCommand("copy");  // navigator.clipboard is not there on plain http
      box.querySelector("p").textContent = say.copied;
    });
    return item;
  }

  function mark(item, say, hand) {
    const state = hand.state === "waiting" && queue.sendingNow() === hand.n ? "sending" : hand.state;
    const [icon, tint] = { waiting: ["i-wait", "warn"], sending: ["i-wait", "warn"], in: ["i-check", "ok"], stuck: ["i-warn", "bad"] }[state];
    item.querySelector("use").setAttribute("href", `${say.sprite}#${icon}`);
    item.querySelector(".state").className = `state state-${tint}`;
    item.querySelector("[data-state]").textContent = say[`state${state[0].toUpperCase()}${state.slice(1)}`];
    return item;
  }

  function drawList(section, hands, here, hidden) {
    const say = section.dataset, list = section.querySelector("ul"), shown = hands.filter((hand) => !hidden(hand));
    const waiting = hands.filter((hand) => hand.state === "waiting").length;
    const old = new Map([...list.children].map((item) => [Number(item.dataset.n), item]));
    list.replaceChildren(...shown.map((hand) => {
      // A row stays while its hand does not change: somebody may be in the middle of discarding it.
      const stamp = JSON.stringify(hand), kept = old.get(hand.n);
      if (kept?.dataset.stamp === stamp) return mark(kept, say, hand);
      const item = row(section, hand, here);
      item.dataset.stamp = stamp;
      return mark(item, say, hand);
    }));
    section.hidden = shown.length === 0;
    const undecided = hands.filter((hand) => hand.state !== "in").length;
    const first = waiting ? (queue.sendingNow() ? say.sends : say.waits) : "";
    section.querySelector("[data-kept-count]").textContent = undecided ? [first, words(undecided === 1 ? say.one : say.many, { count: undecided })].filter(Boolean).join(" ") : say.none;
    section.querySelector("[data-send-now]").hidden = waiting === 0;
    const chip = document.querySelector("[data-kept-chip]");
    if (!chip) return;
    chip.hidden = undecided === 0;
    chip.classList.toggle("state-bad", undecided > waiting);
    chip.classList.toggle("state-warn", undecided === waiting);
    chip.querySelector("use").setAttribute("href", `${say.sprite}#${undecided > waiting ? "i-warn" : "i-wait"}`);
    chip.querySelector("span").textContent = undecided > waiting ? say.stateStuck : words(say.chip, { count: waiting });
  }

  // The sentence on top of the page: what happened to a hand, and what the person has to decide.
  function note(section, tint, icon, text, link = "") {
    const box = document.querySelector("[data-kept-note]");
    if (!box) return;
    box.hidden = !text;
    box.className = text ? `note ${tint}` : "";
    box.querySelector("use").setAttribute("href", `${section.dataset.sprite}#${icon}`);
    box.querySelector("div").textContent = text;
    if (!link) return;
    const anchor = document.createElement("a");
    anchor.href = "#kept";
    anchor.textContent = link;
    box.querySelector("div").append(" ", anchor);
  }

  // --- The form of a table

  function entry(form, section, facts, signal) {
    const say = section.dataset, fields = [...form.elements].filter((field) => TYPED.test(field.name));
    const main = form.querySelector("[data-main]"), preview = form.querySelector("[hx-post]");
    let here = Number(form.elements.hand.value), busy = false, away = false, current = null, wasFree = facts.empty;

    const values = () => Object.fromEntries(fields.filter((field) => (field.type === "radio" ? field.checked : field.value.trim())).map((field) => [field.name, field.value]));
    const slot = () => `${facts.table}/${here}`;
    const mine = (hands) => hands.filter((hand) => hand.table === facts.table);
    const free = (hands) => facts.empty.filter((number) => !mine(hands).some((hand) => hand.hand === number));

    function put(typed) {
      for (const field of fields) {
        if (field.type === "radio") field.checked = typed[field.name] === field.value;
        else field.value = typed[field.name] ?? "";
      }
      form.dispatchEvent(new Event("scorer:refill"));
    }

    async function restore() {
      const kept = await queue.draft(slot());
      if (!kept || Object.keys(values()).length) return;
      // It was typed for the people who sat there; the server says so if they do not sit there any more.
      form.elements.seating_version.value = kept.seating;
      put(kept.fields);
      form.dispatchEvent(new Event("input", { bubbles: true }));
      note(section, "", "i-wait", words(say.begun, { hand: here }));
    }

    // What a kept hand adds to the total of a seat: if the winner takes all, what the others were left with.
    const adds = (hand, seat) => {
      const caught = (at) => Number(hand.points?.[at]) || 0;
      if (hand.fields.went_out === "time") return 0;
      if (facts.game !== "winner-takes") return caught(seat);
      return hand.fields.went_out === seat ? Object.keys(hand.points ?? {}).reduce((sum, at) => sum + caught(at), 0) : 0;
    };

    // By the hands that are kept here, a player who has reached the target is dealt in no more (Challenge UNO), or the game
    // is over, as far as this phone can tell. Only the server knows for sure.
    function leaveOut(hands) {
      if (!facts.target) return 0;
      const before = mine(hands).filter((hand) => hand.hand < here);
      const boxes = [...form.querySelectorAll("[data-seat]")];
      for (const box of boxes) {
        const { seat } = box.dataset;
        const total = before.reduce((sum, hand) => sum + adds(hand, seat), facts.totals[seat] ?? 0);
        box.toggleAttribute("data-gone", total >= facts.target);
      }
      const gone = boxes.filter((box) => "gone" in box.dataset).length;
      return facts.game && gone ? boxes.length : gone;
    }

    async function goTo(number) {
      here = number;
      const gone = leaveOut(await queue.all());
      if (gone && form.querySelectorAll("[data-seat]").length - gone < 2) here = number = undefined;
      facts.bound = false;
      away = number === undefined;
      form.hidden = away;
      put({});
      if (away) {
        document.querySelector(".score-top h1 span").textContent = words(say.lineRound, facts);
        return;
      }
      form.elements.hand.value = number;
      form.elements.seating_version.value = form.elements.seating_version.defaultValue;
      form.dataset.save = words(say.save, { hand: number });
      document.querySelectorAll(".score-notes > .note:not([data-kept-note]), .other-hands").forEach((old) => old.remove());
      const dealer = gone ? "" : facts.dealers[number], line = words(facts.of ? say.line : say.lineOpen, { ...facts, hand: number });
      document.querySelector(".score-top h1 span").textContent = dealer ? `${line}. ${words(say.deals, { name: dealer })}` : line;
      document.title = `${words(say.slot, { ...facts, hand: number })} · ${facts.tournament}`;
      const hint = document.createElement("p");
      hint.className = "preview-hint";
      hint.textContent = facts.hint;
      preview.dispatchEvent(new Event("htmx:abort"));
      preview.replaceChildren(hint);
      await restore();
    }

    // What was typed, as a person reads it; scorer.js has it in words beside each name.
    function inWords() {
      const seats = [...form.querySelectorAll("[data-seat]")].map((box) => ({
        number: box.dataset.seat,
        name: box.dataset.name,
        what: form.querySelector(`[data-pick="${box.dataset.seat}"] small`).textContent,
        cards: form.elements[`cards_${box.dataset.seat}`].value.trim(),
      }));
      const winner = seats.find((seat) => seat.number === form.elements.went_out.value);
      return {
        title: winner ? words(say.wentOut, winner) : form.elements.went_out.value === "time" ? say.timeUp : say.nobody,
        lines: seats.filter((seat) => seat !== winner && ["cards", "count", "points"].some((field) => form.elements[`${field}_${seat.number}`].value.trim())).map(({ name, what, cards }) => ({ name, what, cards })),
      };
    }

    const caught = () => Object.fromEntries([...form.querySelectorAll("[data-seat]")].map((box) => [box.dataset.seat, box.dataset.caught]));

    async function save() {
      const { table, url, number, round, tournament, who } = facts;
      const typed = { who, table, url, number, round, tournament, hand: here, seating: form.elements.seating_version.value, fields: values(), points: caught(), ...inWords() };
      const n = await queue.add(typed).catch(() => null);
      if (n === null) return wild.send(form);  // this browser keeps nothing, as in some private windows: send it at once
      current = n;
      await queue.keepDraft(slot(), null);
      await Promise.race([queue.send(), queue.pause(PATIENCE)]);
      const saved = await queue.get(n);
      if (signal.aborted) return;  // somebody has gone to another page meanwhile
      if (saved?.state === "in" && await wild.go(facts.url, { moves: "replace", top: 0 })) return;
      if (saved?.state === "stuck" && (saved.status === 422 || saved.status === 409)) {
        // The server's own page tells it best: beside the seat at fault, or with both versions side by side.
        await queue.change(n, { again: true });
        form.elements.key.value = saved.key;
        return wild.send(form);
      }
      current = null;
      const kept = here, [next] = free(await queue.all());
      await goTo(next);
      main.removeAttribute("aria-disabled");
      scrollTo({ top: 0 });
      if (saved?.state === "waiting")
        note(section, "", "i-wait", away ? say.allKept : words(say.goneOn, { hand: kept, next }));
    }

    form.addEventListener("submit", (event) => {
      if (event.submitter?.name) return;
      event.preventDefault();
      if (busy) return;
      busy = true;
      save().finally(() => { busy = false; redraw(); });
    });
    form.addEventListener("input", () => {
      const typed = values(), seating = form.elements.seating_version.value;
      queue.keepDraft(slot(), Object.keys(typed).length ? { fields: typed, seating } : null).catch(() => {});
    });

    let redraw = () => {};
    return {
      // Not in the list: what is in the form anyway.
      hidden: (hand) => hand.n === current || facts.bound && hand.state === "stuck" && isWrong(hand) && hand.table === facts.table && hand.hand === here,
      onRedraw: (redrawing) => { redraw = redrawing; },
      async start(hands) {
        if (facts.bound) return;
        if (Object.keys(values()).length === 0 && !free(hands).includes(here)) await goTo(free(hands)[0]);
        else await restore();
        if (away) note(section, "", "i-wait", say.allKept);
      },
      async follow(hands) {
        if (busy || facts.bound) return;
        if (away && !mine(hands).some((hand) => hand.state !== "in") && mine(hands).length) return wild.go(facts.url);
        const left = free(hands), again = left.find((number) => !wasFree.includes(number));  // was discarded
        wasFree = left;
        if (away ? left.length : Object.keys(values()).length === 0 && (again || !left.includes(here))) await goTo(again ?? left[0]);
      },
    };
  }

  // --- The page as a whole

  // With a service worker the page can be loaded again without a network; browsers have it under https and on localhost.
  function keepPage(section) {
    if (!navigator.serviceWorker) return;
    const page = location.pathname;
    const parts = [...document.querySelectorAll("link[href], script[src], use[href]")].map((part) => part.getAttribute("href") ?? part.getAttribute("src"));
    const files = parts.filter((address) => address.startsWith("/")).map((address) => address.split("#")[0]);
    navigator.serviceWorker
      .register(section.dataset.worker, { scope: new URL(section.dataset.scope, new URL(section.dataset.worker, location.href)) })
      .then(active)
      .then((worker) => worker.postMessage({ page, files: [...new Set(files)] }))
      .catch(() => {});
  }

  // The worker, when it is there. A page that was visited from another one is not the worker's, and would wait for ever for `ready`.
  function active(registration) {
    if (registration.active) return registration.active;
    const worker = registration.installing ?? registration.waiting;
    return new Promise((resolve) => {
      worker.addEventListener("statechange", () => { if (worker.state === "activated") resolve(worker); });
    });
  }

  async function page(section, signal) {
    const facts = section.dataset.facts ? JSON.parse(section.dataset.facts) : null;
    const form = document.querySelector("form[data-scorer]"), say = section.dataset;
    const table = form && facts ? entry(form, section, facts, signal) : null;  // without waiting: somebody may be quick
    if (facts) await queue.forgetShown(facts.table, facts.at);
    let before = (await queue.all()).map((hand) => ({ ...hand, shown: true })), drawing = Promise.resolve(), sent = 0, first = true;

    async function draw() {
      const hands = await queue.all();
      if (signal.aborted) return;
      await table?.follow(hands);
      drawList(section, hands, facts?.table, table?.hidden ?? (() => false));
      // A hand that somebody has just decided about is sent once more at once, and asks nobody.
      const stuck = hands.filter((hand) => hand.state === "stuck" && !hand.again && !table?.hidden(hand));
      const now = hands.filter((hand) => hand.state === "in" && before.some((old) => old.n === hand.n && old.state === "waiting" && old.shown)).length;
      sent += now;
      const isNew = (hand) => !before.some((old) => old.n === hand.n && old.state === "stuck");
      if (stuck.some(isNew) || (stuck.length && first)) note(section, "note-warn", "i-warn", stuck.length === 1 ? words(say.stuckOne, stuck[0]) : words(say.stuckMany, { count: stuck.length }), say.see);
      else if (now && hands.every((hand) => hand.state === "in")) note(section, "note-ok", "i-check", counted(say, "sent", sent));
      else if (!stuck.length && document.querySelector("[data-kept-note].note-warn")) note(section, "", "i-wait", "");
      before = hands.map((hand) => ({ ...hand, shown: !table?.hidden(hand) }));
    }
    const redraw = () => { drawing = drawing.then(draw).catch(() => {}); return drawing; };
    table?.onRedraw(redraw);
    await table?.start(before);
    await redraw();
    if (signal.aborted) return;
    first = false;
    queue.watch(redraw, signal);
    section.querySelector("[data-send-now]").addEventListener("click", () => queue.send());
    keepPage(section);
    await queue.begin({ except: facts?.bound ? before.find((hand) => table?.hidden(hand))?.n : null });
  }

  document.addEventListener("wild:page", ({ detail: { signal } }) => {
    const section = document.querySelector("[data-kept]");
    // Without a database the forms of the page do what they always did.
    if (section) page(section, signal).catch(() => {});
    // On the page of two versions, whoever keeps the other one lets go of theirs.
    for (const form of document.querySelectorAll("[data-drop-key]"))
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        await queue.dropKey(form.dataset.dropKey).catch(() => {});
        wild.send(form);
      });
  });
})();
