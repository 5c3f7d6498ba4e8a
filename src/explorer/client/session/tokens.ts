import { faultsOf, post, type Answer, type Request } from "../service";

/** Milliseconds after which a renewal is given up. It is tried again later. */
const RENEWAL_TIMEOUT = 15_000;
const CHANGE_TIMEOUT = 60_000;

/** The service has answered, but without a token. */
export class Refusal extends Error {
  constructor(
    /** The messages; those of one validation are separate. */
    readonly messages: readonly string[],
    readonly code?: string,
    /** In seconds. */
    readonly retryAfter?: number,
  ) {
    super(messages.join(", "));
  }
}

/**
 * Signs an administrator in.
 *
 * @returns an access token
 * @throws Refusal, or Error if the service can't be reached
 */
export const login = (email: string, password: string): Promise<string> =>
  tokenOf(
    post({
      query: "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }",
      variables: { input: { email, password } },
    }),
  );

/** Gets another token of the same login; throws like {@link login}. */
export const renewToken = (token: string): Promise<string> =>
  timed({ query: "mutation RenewToken { renewToken { accessToken } }" }, token, RENEWAL_TIMEOUT);

/** Changes the password of a token's holder. Returns a new token, the only one that is valid from then on. */
export const changePassword = (
  token: string,
  currentPassword: string,
  newPassword: string,
): Promise<string> =>
  timed(
    {
      query: `mutation ChangePassword($currentPassword: String!, $newPassword: String!) {
  changePassword(currentPassword: $currentPassword, newPassword: $newPassword) { accessToken }
}`,
      variables: { currentPassword, newPassword },
    },
    token,
    CHANGE_TIMEOUT,
  );

const timed = (request: Request, token: string, milliseconds: number): Promise<string> =>
  tokenOf(post(request, token, AbortSignal.timeout(milliseconds)));

/** The token in the answer of a mutation with a single field. */
async function tokenOf(answering: Promise<Answer>): Promise<string> {
  const answer = await answering;
  const [field] = Object.values(answer.data ?? {}) as { accessToken: string }[];
  if (field) return field.accessToken;
  const { code, http } = answer.errors?.[0]?.extensions ?? {};
  throw new Refusal(faultsOf(answer), code, http?.retryAfter);
}
