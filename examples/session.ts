/** The token of an administrator who has signed in. Undefined: show the form to sign in. */
export interface Session {
  token?: string | undefined;
}

/** An administrator's e-mail address and password. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** How a client reaches the shop. */
export interface ClientOptions {
  /** Its token is sent with every request. It is forgotten when the shop no longer accepts it. */
  readonly session?: Session;
  /** Milliseconds after which an answer is no longer waited for. */
  readonly timeout?: number;
}
