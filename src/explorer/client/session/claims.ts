/** What the page needs of a token. Its signature is the service's business. */
export interface Claims {
  readonly email: string;
  /** Seconds. */
  readonly iat: number;
  readonly exp: number;
  /** When the login was; a token without it can't be renewed. */
  readonly auth_time?: number;
}

export function claimsOf(token: string): Claims {
  const payload = token.split(".")[1] ?? "";
  const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
