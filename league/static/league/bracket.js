// The picture of the rounds: on a phone it opens at the round that is played, its dots say which one is in sight, and the
// picture can be had as PNG, made here from the SVG that the server has.
(() => {
  "use strict";

  const LARGEST = 8000; // pixels of a side, more than that not every device can draw
  const SHARP = 2; // pixels for each of the picture's

  // Only where a column fills the box there are dots; elsewhere all of it is in sight.
  function columnIn(box) {
    const columns = [...box.querySelectorAll(".bk-col")];
    const middle = box.getBoundingClientRect().left + box.clientWidth / 2;
    return columns.find((column) => column.getBoundingClientRect().right > middle) ?? columns.at(-1);
  }

  function mark(box) {
    const current = columnIn(box);
    for (const dot of box.previousElementSibling.querySelectorAll("a")) {
      if (dot.hash === `#${current.id}`) dot.setAttribute("aria-current", "true");
      else dot.removeAttribute("aria-current");
    }
  }

  // To the round that is played, where it is not all in sight already.
  function showNow(box) {
    const now = box.querySelector("[data-now]")?.getBoundingClientRect();
    const { left, right } = box.getBoundingClientRect();
    if (now && now.right > right) box.scrollLeft += now.left - left - parseFloat(getComputedStyle(box).paddingLeft);
  }

  function boxes() {
    return document.querySelectorAll(".bk");
  }

  function setUp() {
    for (const box of boxes()) mark(box);
    const button = document.getElementById("bracket-png");
    if (button) button.hidden = false;
  }

  async function savePng(button) {
    const image = new Image();
    image.src = document.getElementById("bracket-svg").href;
    try {
      await image.decode();
    } catch {
      location.href = image.src; // it cannot be drawn here: the picture itself can be saved
      return;
    }
    const scale = Math.min(SHARP, LARGEST / image.width, LARGEST / image.height);
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const file = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = button.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const box of boxes()) showNow(box);
    setUp();
  });
  document.addEventListener("htmx:load", setUp); // the page has taken over what is new
  document.addEventListener("scroll", (event) => {
    if (event.target instanceof Element && event.target.matches(".bk")) mark(event.target);
  }, { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#bracket-png");
    if (button) return savePng(button);
    // A dot leads sideways only: the page stays where it is.
    const dot = event.target.closest?.(".bk-dots a");
    const column = dot && document.querySelector(dot.hash);
    if (!column) return;
    event.preventDefault();
    column.scrollIntoView({ inline: "start", block: "nearest" });
  });
})();
