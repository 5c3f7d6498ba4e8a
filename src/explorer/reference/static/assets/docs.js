/** Swagger UI has dark colours under a class, and the page decides when to set it. */
const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
  globalThis.document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const ui = globalThis.SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  validatorUrl: null, // a validator would send the document to another host
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  responseInterceptor: signIn,
  plugins: [{ wrapComponents: { DeepLink: withoutLink } }],
  onComplete: () =>
    globalThis.document.querySelector("#servers")?.setAttribute("aria-label", "Server"),
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
