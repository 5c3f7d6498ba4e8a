import { claimsOf } from "./claims";

/** An administrator who is signed in, with the latest token. Times are in milliseconds, by this machine's clock. */
export interface Login {
  /** Is the same for all tokens of one sign-in, in all tabs. */
  readonly id: string;
  readonly token: string;
  readonly email: string;
  /** When the token came. */
  readonly startedAt: number;
  readonly expiresAt: number;
  /** False if the service gives no token that lasts longer: then the login ends with this one. */
  readonly isRenewable: boolean;
}

/**
 * The login to which a token belongs.
 *
 * @param former the login whose token this one replaces
 */
export function loginOf(token: string, former?: Login): Login {
  const { email, iat, exp, auth_time } = claimsOf(token);
  const startedAt = Math.max(Date.now(), (former?.startedAt ?? 0) + 1);
  const isLater = !former || exp > claimsOf(former.token).exp;
  return {
    id: former?.id ?? `${startedAt}-${Math.random()}`,
    token,
    email,
    startedAt,
    // The lifetime counts from now: this machine's clock need not agree with the service's.
    expiresAt: startedAt + (exp - iat) * 1000,
    isRenewable: isLater && auth_time !== undefined,
  };
}

/** Whether a value from outside, such as a message of another tab, is a login. */
export function isLogin(value: unknown): value is Login {
  if (typeof value !== "object" || value === null) return false;
  const { id, token, email, startedAt, expiresAt, isRenewable } = value as Record<string, unknown>;
  return (
    [id, token, email].every((text) => typeof text === "string") &&
    [startedAt, expiresAt].every((time) => Number.isFinite(time)) &&
    typeof isRenewable === "boolean"
  );
}
