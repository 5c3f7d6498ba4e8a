/**
 * GraphiQL as it comes, with the queries of docs/graphql.md as its first tabs and a sign-in whose token goes with
 * every request. The token and GraphiQL's tabs are kept for this tab of the browser alone.
 */
const { document, fetch, GraphiQL, location, React, ReactDOM, sessionStorage } = globalThis;

/** Where this tab keeps who is signed in: the address and the token. */
const KEY = "tea-shop:explorer";
/** Says what this page was told, so that every process shows it at least that, whichever replica it reads. */
const POSITION = "x-session-position";
const LOGIN = "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }";

/** The pages of the administrators' app that replace what links to former operations opened. */
const REPLACED = [
  [/audit/i, "audit-log"],
  [/event|endpoint|deliver|secret|sendagain/i, "webhooks"],
  [/subscri/i, "newsletter"],
  [/order|paid|payment/i, "orders"],
  [/product|catalogue|price/i, "products"],
  [/categor/i, "categories"],
];

followLink();
globalThis.addEventListener("hashchange", followLink);

// GraphiQL's dialogs look here for the nonce of the styles that they add.
globalThis.__webpack_nonce__ = document.querySelector("script[nonce]").nonce;

const [signIn, signOut, status, who] = ["sign-in", "sign-out", "status", "who"].map((id) =>
  document.getElementById(id),
);
signIn.addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = Object.fromEntries(new globalThis.FormData(signIn));
  const { data, errors } = await post({ query: LOGIN, variables: { input } }).catch((fault) => ({
    errors: [fault],
  }));
  if (data) hold({ email: input.email, token: data.login.accessToken });
  else hold(null, errors[0].message);
});
signOut.addEventListener("submit", (event) => {
  event.preventDefault();
  hold(null);
});
let position = null;
hold(kept());

const queries = await (await fetch("/explorer/assets/queries.json")).json();
ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: send,
    storage: sessionStorage,
    defaultTabs: queries,
    ...inFront(queries),
    defaultEditorToolsVisibility: "variables",
  }),
);

/** The texts of the tab in front, by which GraphiQL finds it again when the page is loaded anew. */
function inFront([first]) {
  const { tabs, activeTabIndex } = JSON.parse(sessionStorage.getItem("graphiql:tabState")) ?? {};
  const { query, variables } = tabs?.[activeTabIndex] ?? first;
  return { query, variables };
}

/** Leads a link to a former operation, such as `#operation=OrderWithItems&variables={"id":12}`, to its page. */
function followLink() {
  const asked = new globalThis.URLSearchParams(location.hash.slice(1));
  const name = asked.get("operation")?.replaceAll(" ", "");
  const page = name && REPLACED.find(([pattern]) => pattern.test(name))?.[1];
  if (!page) return;
  const [, id] = /"id":(\d+)/.exec(asked.get("variables")) ?? [];
  if (id && name === "OrderWithItems") location.replace(`/admin/orders/${id}/show`);
  else if (id && name === "ProductWithPrices") location.replace(`/admin/products/${id}`);
  else location.replace(`/admin/${page}`);
}

/** Who is signed in: the address and the token; null if nobody is. */
function kept() {
  return JSON.parse(sessionStorage.getItem(KEY));
}

/** Keeps and shows who is signed in, or that nobody is, and a message. */
function hold(login, message = "") {
  if (login) sessionStorage.setItem(KEY, JSON.stringify(login));
  else sessionStorage.removeItem(KEY);
  signIn.hidden = login !== null;
  signOut.hidden = login === null;
  who.textContent = login?.email ?? "";
  status.textContent = message;
  if (login) signIn.reset();
}

/** Sends what GraphiQL runs; a token that the service refuses is forgotten. */
async function send({ operationName, ...request }, { headers } = {}) {
  const login = kept();
  // Right after a change of tabs, GraphiQL still names the operation of the one before.
  if (operationName && request.query.includes(operationName)) request.operationName = operationName;
  const authorization = login && { authorization: `Bearer ${login.token}` };
  const answer = await post(request, { ...authorization, ...headers });
  const isRefused = answer.errors?.some(({ extensions }) => extensions?.code === "UNAUTHENTICATED");
  if (login && isRefused) hold(null, "The session has ended: sign in again");
  return answer;
}

async function post(request, headers) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(position && { [POSITION]: position }),
      ...headers,
    },
    body: JSON.stringify(request),
  });
  position = response.headers.get(POSITION) ?? position;
  return response.json();
}
