import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** The most characters of each text: in base64url, more than browsers send without an attestation of certificates. */
const LONGEST = { id: 1_400, data: 4_000, attestation: 16_000 } as const;

const transportNames = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** A text of base64url; undefined for anything else. */
const base64url = (value: unknown, longest: number): string | undefined =>
  typeof value === "string" && value.length <= longest && /^[\w-]+$/.test(value)
    ? value
    : undefined;

/** What both kinds of answers have, in the JSON of `PublicKeyCredential.toJSON()` (WebAuthn, level 3, section 5.1). */
function read(value: unknown) {
  const { id: given, rawId, type, response } = membersOf(value);
  const id = base64url(given, LONGEST.id);
  const inner = membersOf(response);
  const clientDataJSON = base64url(inner.clientDataJSON, LONGEST.data);
  if (id === undefined || rawId !== id || type !== "public-key") return undefined;
  if (clientDataJSON === undefined) return undefined;
  const outer = { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  return { outer, inner, clientDataJSON };
}

/** The answer of an authenticator that somebody signs in with: nothing but what was checked. Undefined if it is none. */
export function assertionIn(value: unknown): AuthenticationResponseJSON | undefined {
  const found = read(value);
  if (!found) return undefined;
  const { outer, inner, clientDataJSON } = found;
  const authenticatorData = base64url(inner.authenticatorData, LONGEST.data);
  const signature = base64url(inner.signature, LONGEST.data);
  const userHandle = base64url(inner.userHandle, LONGEST.data);
  if (authenticatorData === undefined || signature === undefined) return undefined;
  const response = { clientDataJSON, authenticatorData, signature };
  return { ...outer, response: userHandle === undefined ? response : { ...response, userHandle } };
}

/** The answer of an authenticator that has made a passkey, as {@link assertionIn}. */
export function attestationIn(value: unknown): RegistrationResponseJSON | undefined {
  const found = read(value);
  if (!found) return undefined;
  const { outer, inner, clientDataJSON } = found;
  const attestationObject = base64url(inner.attestationObject, LONGEST.attestation);
  if (attestationObject === undefined) return undefined;
  const transports = Array.isArray(inner.transports)
    ? transportNames.filter((name) => (inner.transports as unknown[]).includes(name))
    : [];
  return { ...outer, response: { clientDataJSON, attestationObject, transports } };
}

/** The challenge in an answer, as the browser has written it; empty if there is none. */
export function challengeIn({
  response,
}: AuthenticationResponseJSON | RegistrationResponseJSON): string {
  try {
    const text = Buffer.from(response.clientDataJSON, "base64url").toString();
    const { challenge } = membersOf(JSON.parse(text));
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}
