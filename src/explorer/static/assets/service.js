const LOGIN = "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }";

/**
 * Posts one GraphQL request.
 *
 * @param {object} request `query`, `variables` and `operationName`
 * @param {string | undefined} token goes along as the Authorization header
 * @returns {Promise<object>} the answer, `data` and `errors`
 * @throws Error where the service can't be reached or answers anything but JSON
 */
export async function post(request, token) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const body = JSON.stringify(request);
  const response = await fetch("/graphql", { method: "POST", headers, body }).catch(() => {
    throw new Error("The service can't be reached");
  });
  return response.json().catch(() => {
    throw new Error(`The service answered ${response.status} without JSON`);
  });
}

/**
 * Signs an administrator in.
 *
 * @returns {Promise<string>} an access token
 * @throws Error with the message of the service
 */
export async function login(email, password) {
  const answer = await post({ query: LOGIN, variables: { input: { email, password } } });
  const token = answer.data?.login.accessToken;
  if (!token) throw new Error(messageOf(answer.errors?.[0] ?? answer));
  return token;
}

/** Whether a field was refused for want of a valid token. */
export const isUnauthenticated = ({ errors = [] }) =>
  errors.some(({ extensions }) => extensions?.code === "UNAUTHENTICATED");

function messageOf({ message, extensions }) {
  const messages = extensions?.http?.message ?? message;
  return Array.isArray(messages) ? messages.join(", ") : messages;
}
