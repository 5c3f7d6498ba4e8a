/** Swagger UI has dark colours under a class, and the page decides when to set it. */
const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
  globalThis.document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

/** What screen readers need to know of Swagger UI's elements, by their selectors. */
const ATTRIBUTES = {
  ".information-container": { role: "banner" },
  ".scheme-container": { role: "region", "aria-label": "Server and credentials" },
  "#servers": { "aria-label": "Server" },
  ".opblock-tag, .modal-ux-header h3, .models h4": { "aria-level": "2" },
  ".opblock h4, .auth-container h4": { "aria-level": "3" },
  ".opblock h5": { "aria-level": "4" },
  ".responses-table": { role: "table" },
  ".examples-select-element": { "aria-label": "Example" },
  ".body-param__text": { "aria-label": "Request body" },
  ".close-modal": { "aria-label": "Dismiss" },
  ".modal-btn.authorize[type=submit]": { "aria-label": "Authorize: apply credentials" },
};

function describe() {
  for (const [selector, attributes] of Object.entries(ATTRIBUTES)) {
    for (const element of globalThis.document.querySelectorAll(selector)) {
      for (const entry of Object.entries(attributes)) element.setAttribute(...entry);
    }
  }
}
const root = globalThis.document.querySelector("#reference");
new globalThis.MutationObserver(describe).observe(root, { childList: true, subtree: true });

const ui = globalThis.SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  validatorUrl: null, // a validator would send the document to another host
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  syntaxHighlight: { theme: "tomorrow-night" },
  responseInterceptor: signIn,
  plugins: [{ wrapComponents: { DeepLink: withoutLink } }],
});

/** Not everybody can reach a link inside a button. Opening an operation puts its address into the bar anyway. */
function withoutLink(_link, { React }) {
  return ({ text }) => React.createElement("span", null, text);
}

/** A login that is tried on the page signs the user in: later requests have its token. */
function signIn(response) {
  const { pathname } = new URL(response.url, globalThis.location.href);
  if (pathname === "/auth/login" && response.ok) {
    ui.preauthorizeApiKey("administrator", response.obj.access_token);
  }
  return response;
}
