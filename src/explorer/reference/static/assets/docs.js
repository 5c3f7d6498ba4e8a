/** Swagger UI has dark colours under this class, and leaves it to the page when they apply. */
const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
  globalThis.document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const ui = globalThis.SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  validatorUrl: null, // it would send the document to another host
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  responseInterceptor: signIn,
  plugins: [{ wrapComponents: { DeepLink: withoutLink } }],
  onComplete: () =>
    globalThis.document.querySelector("#servers")?.setAttribute("aria-label", "Server"),
});

/** A link in a button can't be reached by everybody. Opening an operation puts its address into the bar all the same. */
function withoutLink(_link, { React }) {
  return ({ text }) => React.createElement("span", null, text);
}

/** A login that is tried on the page signs in: requests from then on carry its token. */
function signIn(response) {
  const { pathname } = new URL(response.url, globalThis.location.href);
  if (pathname === "/auth/login" && response.ok) {
    ui.preauthorizeApiKey("administrator", response.obj.access_token);
  }
  return response;
}
