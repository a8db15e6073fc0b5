// "Verify this hand": fetches the log, or takes a file, has verify.js referee it on this device and says what came of it.
// Sections come with the page or are put into it later, so the document listens.
//
// The log is compared with what play.js kept before the deal: the seal that this device was shown ("wild-seal-<deal>" in the
// session's storage) and what it added to the shuffle ("wild-entropy-<deal>"), both hexadecimal.
"use strict";
(() => {
  document.documentElement.classList.add("js-proof");

  const filled = (template, values) => template.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  function remembered(deal) {
    try {
      return { seal: sessionStorage.getItem(`wild-seal-${deal}`), mine: sessionStorage.getItem(`wild-entropy-${deal}`) };
    } catch {  // storage is off
      return {};
    }
  }

  function element(name, text, className = "") {
    const node = document.createElement(name);
    node.textContent = text;
    node.className = className;
    return node;
  }

  function line(section, right, ...texts) {
    const item = element("li", "", right ? "" : "fault"), words = element("div", "");
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = icon.appendChild(document.createElementNS(icon.namespaceURI, "use"));
    icon.setAttribute("class", "ico-s");
    icon.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `${section.dataset.sprite}#${right ? "i-check" : "i-cross"}`);
    words.append(...texts);
    item.append(icon, words);
    return item;
  }

  // Whether the log has the seal and the addition that this device knows; no lines for a device that was not there. Another
  // seal is a fraud; an addition may have come after the deal.
  function asRemembered(section, say, { commitment, entropy }) {
    const { seal, mine } = remembered(section.dataset.deal), lines = [];
    const same = seal === commitment, added = entropy.includes(mine);
    if (seal) lines.push(line(section, same, same ? say.same_seal : filled(say.other_seal, { seal })));
    if (mine) lines.push(line(section, added, added ? say.mine_in : filled(say.mine_missing, { entropy: mine })));
    return { lines, right: !seal || same };
  }

  // Who deals first, drawn from the same seed (DEAL-1). `seats` are the table's, in the order in which the hand counts them;
  // only those draw whose birthdays were equally near.
  function asDrawn(section, say, { seed, edition, dealer }) {
    if (!section.dataset.drawn) return { lines: [], right: true };
    const { seats, draws } = JSON.parse(section.dataset.drawn);
    const draw = wildShuffle.drawnForDealer(seed, wildShuffle.EDITIONS[edition], draws[0].map(([seat]) => seat));
    const right = JSON.stringify(draw.rounds) === JSON.stringify(draws) && seats.indexOf(draw.dealer) === dealer;
    return { lines: [line(section, right, right ? say.drawn : say.not_drawn)], right };
  }

  function whatIsWrong(section, say, fault) {
    const why = say.codes[fault.code] ?? fault.code;
    const texts = [element("p", filled(fault.n === null ? say.unreadable : say.where, { ...fault, why }))];
    if (fault.expected) texts.push(element("code", filled(say.expected, fault)));
    if (fault.found) texts.push(element("code", filled(say.found, fault)));
    return line(section, false, ...texts);
  }

  function check(section, file, own) {
    const say = JSON.parse(section.dataset.words), begun = performance.now();
    const { hands, first, fault } = wildVerify.verify(file), took = Math.max(1, Math.round(performance.now() - begun));
    const list = document.createElement("ol");
    const nothing = { lines: [], right: true };
    const known = own && !fault ? asRemembered(section, say, first) : nothing, drawn = own && !fault ? asDrawn(section, say, first) : nothing;
    if (fault) {
      list.append(whatIsWrong(section, say, fault));
    } else {
      const added = first.entropy.filter((extra) => extra !== null).length;
      const told = [say.seal, filled(say.added, { count: added, players: first.names.length }), filled(say.cards, first), filled(say.lines, first)];
      list.append(...(hands > 1 ? [filled(say.hands, { hands })] : told).map((text) => line(section, true, text)), ...drawn.lines, ...known.lines);
    }
    const right = !fault && known.right && drawn.right;
    section.classList.toggle("proof-bad", !right);
    section.querySelector("h2").textContent = right ? say.verified : say.failed;
    section.querySelector(".proof-said").textContent = filled(say.took, { ms: took });
    section.querySelector(".proof-ico use").setAttribute("href", `${section.dataset.sprite}#${right ? "i-verified" : "i-warn"}`);
    section.querySelector("[data-said]").replaceChildren(list);
    section.dataset.result = right ? "right" : "wrong";
  }

  async function fetched(section) {
    try {
      const answer = await fetch(section.dataset.log);
      if (!answer.ok) throw new Error(answer.status);
      return await answer.text();
    } catch {
      section.querySelector("[data-said]").replaceChildren(element("p", JSON.parse(section.dataset.words).no_log));
      return null;
    }
  }

  document.addEventListener("click", async (event) => {
    if (event.target.matches("[data-file]")) event.target.value = "";  // so that the same file once more is a change too
    const section = event.target.closest("[data-verify]")?.closest("[data-proof]");
    if (!section) return;
    const file = await fetched(section);
    if (file !== null) check(section, file, true);
  });

  document.addEventListener("change", async (event) => {
    const [file] = event.target.closest("[data-file]")?.files ?? [], section = document.querySelector("[data-proof]");
    if (!file || !section) return;
    check(section, await file.text(), false);
    section.scrollIntoView({ block: "nearest" });
  });
})();
