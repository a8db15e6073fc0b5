// Reads the lines of a hand's log from a file (docs/rules.md, "The log of a hand"), splits them by hands and checks their
// fields by the format. verify.js checks them by the rules.
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
  const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

  // Reads the file hand by hand, and checks only that these are lines of such a log.
  function read(file) {
    const hands = [];
    let hand = null;
    file.split("\n").forEach((content, index) => {
      if (!content.trim()) return;
      const record = parsed(content, index + 1), last = hand?.at(-1);
      if (!last || record.hand !== last.hand || (record.type === "start" && last.type === "end")) {
        if (record.type !== "start" || ![1, 2].includes(record.log)) throw new Fault(record, "LOG", record.type === "start" ? "version" : "no-start");
        if (!wildShuffle.EDITIONS[record.edition]) throw new Fault(record, "LOG", "edition");
        hands.push(hand = []);
      }
      hand.push(record);
    });
    if (!hand) throw new Fault({ line: 1 }, "LOG", "empty");
    for (const lines of hands) if (!lines.some(({ type }) => type === "end")) throw new Fault(lines.at(-1), "LOG", "cut");
    return hands;
  }

  function parsed(content, line) {
    let record;
    try { record = JSON.parse(content); } catch { throw new Fault({ line }, "LOG", "no-json"); }
    if (!object(record) || !whole(record.hand) || !text(record.type)) throw new Fault({ line }, "LOG", "no-line");
    checkWritten(content, { ...record, line });
    return { ...record, line };
  }

  // Refuses what JSON.parse lets pass: a key that stands twice, and a whole number written as 1.0 or 1e0.
  const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]|-?\d[\d.eE+-]*/g;
  function checkWritten(content, record) {
    const open = [], known = ["hand", "n", ...Object.keys(FIELDS[record.type] ?? {})];
    let field = "";  // of the line itself
    for (const [token, quoted, colon] of content.matchAll(TOKENS)) {
      if (token === "{") open.push(new Set());
      else if (token === "}") open.pop();
      else if (colon) {
        const key = JSON.parse(quoted), keys = open.at(-1);
        if (keys.has(key)) throw new Fault(record, "LOG", "key-twice", "", key);
        keys.add(key);
        if (open.length === 1) field = key;
      } else if (!quoted && /[.eE]/.test(token) && known.includes(field)) throw new Fault(record, "LOG", "no-integer", "", `${field}=${token}`);
    }
  }

  // A line with only the fields of its type, and with absent ones filled in.
  function shaped(record, n, hand) {
    const fields = FIELDS[record.type], line = { hand: record.hand, n, line: record.line, type: record.type };
    if (record.n !== n || record.hand !== hand) throw new Fault(line, "LOG", "number", `n=${n}`, `n=${record.n}`);
    if (!fields) throw new Fault(line, "LOG", "shape");
    for (const [name, fits] of Object.entries(fields)) {
      line[name] = record[name] === undefined ? ABSENT[name] : record[name];
      if (!fits(line[name])) throw new Fault(line, "LOG", "shape", name);
    }
    return line;
  }

  return { Fault, flag, read, same, shaped, told, whole };
})();
