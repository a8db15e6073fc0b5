// Decks and their shuffle (docs/rules.md, "The shuffle"), for checking a hand on one's own device. It has its own SHA-256,
// since plain http has no crypto.subtle.
"use strict";
globalThis.wildShuffle = (() => {
  // --- SHA-256 (FIPS 180-4)

  const ROUNDS = Uint32Array.of(
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  );
  const turned = (word, by) => (word >>> by) | (word << (32 - by));

  function sha256(bytes) {
    const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6), view = new DataView(padded.buffer);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    view.setUint32(padded.length - 4, bytes.length * 8);  // of less than 512 megabytes
    const sum = Uint32Array.of(
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    );
    const words = new Uint32Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + 4 * i);
      for (let i = 16; i < 64; i++) {
        const early = words[i - 15], late = words[i - 2];
        const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3), big = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
        words[i] = words[i - 16] + small + words[i - 7] + big;
      }
      let [a, b, c, d, e, f, g, h] = sum;
      for (let i = 0; i < 64; i++) {
        const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i];
        const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { sum[i] += word; });
    }
    const result = new DataView(new ArrayBuffer(32));
    sum.forEach((word, i) => result.setUint32(4 * i, word));
    return new Uint8Array(result.buffer);
  }

  const HEX = /^([0-9a-f]{2})*$/i;
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

  // --- The shuffle: one stream of 16-bit numbers for all of a hand's shuffles

  class Stream {
    constructor(key) { Object.assign(this, { key, counter: 0, numbers: [] }); }

    next() {
      if (!this.numbers.length) {
        const block = sha256(joined([this.key, [24, 16, 8, 0].map((by) => (this.counter >>> by) & 255)]));
        for (let at = 0; at < 32; at += 2) this.numbers.push(block[at] * 256 + block[at + 1]);
        this.counter += 1;
      }
      return this.numbers.shift();
    }

    below(choices) {  // 0 to choices - 1, each as likely
      let x = this.next();
      while (x >= 65536 - (65536 % choices)) x = this.next();
      return x % choices;
    }

    shuffled(cards) {
      const deck = [...cards];
      for (let i = deck.length - 1; i > 0; i--) {
        const j = this.below(i + 1);
        [deck[i], deck[j]] = [deck[j], deck[i]];
      }
      return deck;
    }
  }

  // --- Cards and editions

  const COLORS = ["R", "Y", "G", "B"];
  const EDITIONS = {
    __proto__: null,
    "harry-potter-2018": { specials: ["WH", "WH", "WH", "WH"], draws: 2, hat: "HAT-1" },
    "harry-potter-unorules": { specials: ["WH", "WH", "WH", "WH"], draws: 2, hat: "HAT-2", lateWindow: true },  // UNO-5
    "minecraft-2017": { specials: ["WC", "WC", "WC", "WC"], draws: 2 },
    "harry-potter-fr": { specials: ["WL", "WI"], draws: 3, asks: true },  // INV-4
    "classic": { specials: [], draws: 2 },
  };

  const faces = [..."0112233445566778899SSRRDD"];
  const deckOf = (edition) => [
    ...COLORS.flatMap((color) => faces.map((face) => color + face)), ..."W W W W WD WD WD WD".split(" "), ...edition.specials,
  ];
  const isWild = (card) => card[0] === "W";
  const faceOf = (card) => (isWild(card) ? card : card[1]);  // what can match besides the colour
  const pointsOf = (card) => (isWild(card) ? 50 : "SRD".includes(card[1]) ? 20 : Number(card[1]));  // SCORE-1

  // DEAL-1, with a stream of its own from the first deal's seed: each seat takes a card of the unshuffled deck, and those
  // who tie take another. Returns rounds of [seat, card], as the page has them.
  function drawnForDealer(seed, edition, seats) {
    const stream = new Stream(joined([bytesOf(seed), new TextEncoder().encode("dealer")])), rounds = [];
    const worth = ([_seat, card]) => (isWild(card) || "SRD".includes(card[1]) ? 0 : Number(card[1]));
    let drawing = seats;
    do {
      const deck = deckOf(edition);
      rounds.push(drawing.map((seat) => [seat, deck.splice(stream.below(deck.length), 1)[0]]));
      const best = Math.max(...rounds.at(-1).map(worth));
      drawing = rounds.at(-1).filter((drawn) => worth(drawn) === best).map(([seat]) => seat);
    } while (drawing.length > 1);
    return { rounds, dealer: drawing[0] };
  }

  return { COLORS, EDITIONS, Stream, bytesOf, deckOf, drawnForDealer, faceOf, hexOf, isHex: (hex) => HEX.test(hex), isWild, joined, pointsOf, sha256 };
})();
