// Whoever comes to a casual table by a button of their own ("#deal" in the address) is there: this presses the button that
// says so for them, with what their browser adds to the shuffle (play.js). Without scripts they press it themselves.
(() => {
  "use strict";
  if (location.hash !== "#deal") return;
  history.replaceState(null, "", location.pathname + location.search);
  document.querySelector("form#ready")?.requestSubmit();
})();
