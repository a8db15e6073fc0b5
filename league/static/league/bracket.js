// The picture of the rounds: on a phone it opens at the round that is played, and its dots say which one is in sight;
// elsewhere a large one is drawn smaller and dragged. It can be had as PNG, made here from the SVG that the server has.
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

  const SIZES = [0.15, 0.2, 0.25, 0.35, 0.5, 0.7, 1, 1.4]; // as shares of the usual one
  let size = 1;

  const usual = new WeakMap(); // of each picture, measured before it is drawn in another size

  // Whether each picture, drawn in a size, has room in the page's width and in so many times the window's height.
  function fits(share, heights) {
    return [...boxes()].every((box) => {
      const { width, height } = usual.get(box);
      return width * share <= box.parentElement.clientWidth + 1 && height * share <= heights * innerHeight;
    });
  }

  function draw() {
    const zoom = document.querySelector(".bk-zoom");
    if (!zoom) return;
    for (const box of boxes())
      if (!usual.has(box)) usual.set(box, { width: box.scrollWidth, height: box.clientHeight });
    zoom.hidden = size === 1 && fits(1, 1.5);
    for (const box of boxes()) box.style.zoom = size;
    zoom.querySelector("output").textContent = `${Math.round(size * 100)} %`;
    for (const box of boxes()) box.classList.toggle("bk-drag", !zoom.hidden);
  }

  // By a step, or with 0 to the largest size at which all of the picture is in sight.
  function resize(step) {
    const at = SIZES.indexOf(size) + step;
    if (step) size = SIZES[Math.min(Math.max(at, 0), SIZES.length - 1)];
    else size = SIZES.filter((share) => share <= 1).findLast((share) => fits(share, 1)) ?? SIZES[0];
    draw();
    if (!step) scrollBy({ top: Math.min(0, document.querySelector(".bk").getBoundingClientRect().top), behavior: "instant" });
  }

  // A mouse drags the picture; a finger scrolls as everywhere.
  function drag(event) {
    const box = event.target.closest?.(".bk-drag");
    if (!box || event.button || event.pointerType !== "mouse" || event.target.closest("a, button")) return;
    event.preventDefault();
    const move = ({ movementX, movementY }) => {
      box.scrollLeft -= movementX / size;
      scrollBy({ top: -movementY, behavior: "instant" });
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
  }

  function boxes() {
    return document.querySelectorAll(".bk");
  }

  function setUp() {
    draw();
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

  document.addEventListener("wild:page", () => {
    for (const box of boxes()) showNow(box);
    setUp();
  });
  document.addEventListener("htmx:load", setUp); // the page has taken over what is new
  document.addEventListener("pointerdown", drag);
  document.addEventListener("keydown", (event) => {
    if (event.target.matches?.(".bk-drag") && "+-0".includes(event.key)) resize({ "+": 1, "-": -1, 0: 0 }[event.key]);
  });
  document.addEventListener("scroll", (event) => {
    if (event.target instanceof Element && event.target.matches(".bk")) mark(event.target);
  }, { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#bracket-png");
    if (button) return savePng(button);
    const zoom = event.target.closest?.("[data-zoom]");
    if (zoom) return resize(Number(zoom.dataset.zoom));
    // A dot leads sideways only: the page stays where it is.
    const dot = event.target.closest?.(".bk-dots a");
    const column = dot && document.querySelector(dot.hash);
    if (!column) return;
    event.preventDefault();
    column.scrollIntoView({ inline: "start", block: "nearest" });
  });
})();
