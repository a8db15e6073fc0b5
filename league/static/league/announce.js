// The form of an announcement: counts what is left while someone types, and fills in a usual text without a new page.
(() => {
  "use strict";

  // As the server stores it: one space between words (league/lib/names.py:tidy).
  const length = (text) => [...text.normalize("NFC").replace(/\s+/g, " ").trim()].length;

  function count(field) {
    const [most, left] = [document.getElementById("text-left"), document.querySelector("[data-left]")];
    const rest = Number(most.dataset.most) - length(field.value);
    most.hidden = true;
    left.hidden = false;
    left.toggleAttribute("data-over", rest < 0);
    left.querySelector("b").textContent = String(rest);
  }

  document.addEventListener("wild:page", ({ detail: { signal } }) => {
    const field = document.querySelector("#text-left") && document.getElementById("id_text");
    if (!field) return;
    count(field);
    field.addEventListener("input", () => count(field), { signal });
    for (const link of document.querySelectorAll("[data-fill]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        event.stopPropagation(); // no visit
        field.value = link.textContent.trim();
        count(field);
        field.focus();
      }, { signal });
    }
  });
})();
