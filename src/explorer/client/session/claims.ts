/** The claims of a token that the page needs. Only the service checks the signature. */
export interface Claims {
  readonly email: string;
  /** When the token was issued, and when it expires: Unix times in seconds. */
  readonly iat: number;
  readonly exp: number;
  /** The time of the login. A token without it can't be renewed. */
  readonly auth_time?: number;
}

export function claimsOf(token: string): Claims {
  const payload = token.split(".")[1] ?? "";
  const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
