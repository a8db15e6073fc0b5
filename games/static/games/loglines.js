// The lines of a hand's log as they stand in a file (docs/rules.md, "The log of a hand"): read, split by hands, and their
// fields held against the format. What the rules say of them is verify.js's.
"use strict";
globalThis.wildLines = (() => {
  // --- The lines

  const whole = Number.isInteger;
  const text = (value) => typeof value === "string";
  const flag = (value) => typeof value === "boolean";
  const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits);
  const orNull = (fits) => (value) => value === null || fits(value);
  const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const ABSENT = { __proto__: null, color: null, target: null, promised: null, returned: false, uno: false, drawn: false, cancel: false, guilty: false, teams: false };
  const FIELDS = {
    __proto__: null,
    start: {
      log: whole, edition: text, players: listOf(text), dealer: whole, teams: flag, options: object, commitment: text,
      promised: orNull(listOf(orNull(text))), entropy: listOf(orNull(text)),
    },
    deal: { seat: whole, cards: listOf(text) },
    turn_up: { card: text, returned: flag },
    color: { seat: whole, color: text },
    play: { seat: whole, card: text, color: orNull(text), target: orNull(whole), uno: flag, drawn: flag, cancel: flag },
    draw: { seat: whole, cards: listOf(text), reason: text },
    pass: { seat: whole },
    accept: { seat: whole },
    challenge: { seat: whole, guilty: flag },
    show: { seat: whole, to: (value) => value === "all" || whole(value), cards: listOf(text), reason: text },
    uno: { seat: whole },
    catch: { seat: whole, by: whole },
    penalty: { seat: whole, reason: text },
    undo: { to: whole, reason: text },
    reshuffle: { cards: listOf(text) },
    end: { winner: orNull(whole), points: listOf(whole), scores: listOf(whole), seed: text, deck: listOf(text) },
  };

  class Fault {
    constructor(line, rule, code, expected = "", found = "") {
      Object.assign(this, { hand: line.hand ?? null, n: line.n ?? null, line: line.line, rule, code, expected, found });
    }
  }

  // A line in words, or only some of its fields: "draw seat=2 cards=R1 R2 reason=turn".
  const MOST_CARDS = 12;
  const listed = (value) => (Array.isArray(value) ? value.slice(0, MOST_CARDS).join(" ") + (value.length > MOST_CARDS ? " …" : "") : value);
  function told(line, only = Object.keys(FIELDS[line.type])) {
    const shown = [...new Set(only)].filter((name) => !["seed", "deck"].includes(name) && line[name] !== undefined && line[name] !== ABSENT[name]);
    return [line.type, ...shown.map((name) => `${name}=${listed(line[name])}`)].join(" ");
  }
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  // Hand by hand, what the file holds; only that they are lines of such a log is looked at.
  function read(file) {
    const hands = [];
    let hand = null;
    file.split("\n").forEach((content, index) => {
      if (!content.trim()) return;
      const found = parsed(content, index + 1), last = hand?.at(-1);
      if (!last || found.hand !== last.hand || (found.type === "start" && last.type === "end")) {
        if (found.type !== "start" || ![1, 2].includes(found.log)) throw new Fault(found, "LOG", found.type === "start" ? "version" : "no-start");
        if (!wildShuffle.EDITIONS[found.edition]) throw new Fault(found, "LOG", "edition");
        hands.push(hand = []);
      }
      hand.push(found);
    });
    if (!hand) throw new Fault({ line: 1 }, "LOG", "empty");
    for (const lines of hands) if (!lines.some(({ type }) => type === "end")) throw new Fault(lines.at(-1), "LOG", "cut");
    return hands;
  }

  function parsed(content, line) {
    let found;
    try { found = JSON.parse(content); } catch { throw new Fault({ line }, "LOG", "no-json"); }
    if (!object(found) || !whole(found.hand) || !text(found.type)) throw new Fault({ line }, "LOG", "no-line");
    checkWritten(content, { ...found, line });
    return { ...found, line };
  }

  // What JSON.parse lets pass: a key that stands twice, and a whole number written as 1.0 or 1e0.
  const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]|-?\d[\d.eE+-]*/g;
  function checkWritten(content, found) {
    const open = [], known = ["hand", "n", ...Object.keys(FIELDS[found.type] ?? {})];
    let field = "";  // of the line itself
    for (const [token, quoted, colon] of content.matchAll(TOKENS)) {
      if (token === "{") open.push(new Set());
      else if (token === "}") open.pop();
      else if (colon) {
        const key = JSON.parse(quoted), keys = open.at(-1);
        if (keys.has(key)) throw new Fault(found, "LOG", "key-twice", "", key);
        keys.add(key);
        if (open.length === 1) field = key;
      } else if (!quoted && /[.eE]/.test(token) && known.includes(field)) throw new Fault(found, "LOG", "no-integer", "", `${field}=${token}`);
    }
  }

  // A line with the fields of its type alone; what is absent is there too.
  function shaped(found, n, hand) {
    const fields = FIELDS[found.type], made = { hand: found.hand, n, line: found.line, type: found.type };
    if (found.n !== n || found.hand !== hand) throw new Fault(made, "LOG", "number", `n=${n}`, `n=${found.n}`);
    if (!fields) throw new Fault(made, "LOG", "shape");
    for (const [name, fits] of Object.entries(fields)) {
      made[name] = found[name] === undefined ? ABSENT[name] : found[name];
      if (!fits(made[name])) throw new Fault(made, "LOG", "shape", name);
    }
    return made;
  }

  return { Fault, flag, read, same, shaped, told, whole };
})();
