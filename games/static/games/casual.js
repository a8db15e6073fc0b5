// At a casual table that waits: copies its link, or hands it to the phone's own way of sharing.
(() => {
  "use strict";

  function copied(field) {
    if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
    field.select(); // plain http, where a browser has no clipboard for pages
    return document.execCommand("copy") ? Promise.resolve() : Promise.reject();
  }

  // Buttons come and go with the page, which changes by itself.
  function show() {
    for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;
    for (const button of document.querySelectorAll("[data-shares]")) button.hidden = !navigator.share;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copies], [data-shares]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copies || button.dataset.shares);
    if (button.dataset.shares) return void navigator.share({ title: document.title, url: field.value }).catch(() => {});
    copied(field).then(() => { button.textContent = button.dataset.done; }, () => field.select());
  });
  document.addEventListener("htmx:load", show);
  show();
})();
