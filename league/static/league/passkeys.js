// Passkeys are offered where the browser has them: over https, or on this very machine, and never at a bare address.
(() => {
  "use strict";

  const named = !/^[\d.]+$|:/.test(location.hostname);
  const here = named && window.isSecureContext && window.PublicKeyCredential;

  function show(selector, shown) {
    for (const one of document.querySelectorAll(selector)) one.hidden = !shown;
  }

  document.addEventListener("DOMContentLoaded", () => {
    show("[data-passkeys]", here);
    show("[data-no-passkeys]", !here);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-passkeys] button")) show("[data-passkey-failed]", false);
  });
  // Said by django-allauth's script when the browser or the person refused.
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    show("[data-passkey-failed]", true);
  });
})();
