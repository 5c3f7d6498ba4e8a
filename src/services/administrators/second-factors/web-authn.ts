import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Settings } from "../../../config/settings";
import { invalidInput } from "../../../vocabulary/errors";
import { invalid } from "../../../vocabulary/reasons";
import { CHALLENGE_TTL, Challenges, type Ceremony, type Challenge } from "./challenges";
import { challengeIn } from "./responses";

/** What is stored of a passkey, as far as its signatures need it. */
export interface StoredKey {
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/** A passkey that an authenticator has made. */
export interface NewKey extends StoredKey {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

interface Known {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** Ed25519, ECDSA on P-256 and RSA, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** Stands for an unknown passkey, whose signature takes the same work then: a key of P-256 (RFC 9053). */
const NOBODYS = Buffer.from(
  "a5010203262001215820" +
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
    "225820" +
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
  "hex",
);

/** The ceremonies of WebAuthn for one origin. Users are verified, and keys are found by the authenticator itself. */
export class WebAuthn {
  private readonly challenges: Challenges;
  private readonly origin: string | undefined;

  constructor({ publicOrigin, data }: Pick<Settings, "publicOrigin" | "data">) {
    this.challenges = new Challenges(data);
    this.origin = publicOrigin;
  }

  /** @throws DomainError INVALID_INPUT if `PUBLIC_ORIGIN` is not set */
  async creationOptions(
    { id, email }: { readonly id: number; readonly email: string },
    passkeys: readonly Known[],
    ceremony: Ceremony,
  ): Promise<object> {
    return generateRegistrationOptions({
      ...{ rpName: "Tea shop", rpID: this.relyingParty().id },
      ...{ userID: handleOf(id), userName: email, userDisplayName: email },
      challenge: this.challenges.issue(ceremony),
      timeout: CHALLENGE_TTL,
      excludeCredentials: passkeys.map(descriptorOf),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /** `passkeys` are those that may answer; none: any. @throws DomainError INVALID_INPUT if `PUBLIC_ORIGIN` is not set */
  async requestOptions(ceremony: Ceremony, passkeys: readonly Known[] = []): Promise<object> {
    return generateAuthenticationOptions({
      rpID: this.relyingParty().id,
      challenge: this.challenges.issue(ceremony),
      timeout: CHALLENGE_TTL,
      allowCredentials: passkeys.map(descriptorOf),
      userVerification: "required",
    });
  }

  /** The challenge of an answer, if it is one of this ceremony that has not expired. */
  challengeOf(
    answer: AuthenticationResponseJSON | RegistrationResponseJSON,
    ceremony: Ceremony,
  ): Challenge | undefined {
    return this.challenges.read(challengeIn(answer), ceremony);
  }

  /** The passkey that an authenticator has made; undefined if its answer is wrong. The caller judges the challenge. */
  async made(answer: RegistrationResponseJSON): Promise<NewKey | undefined> {
    const { id, origin } = this.relyingParty();
    const { registrationInfo } = await verifyRegistrationResponse({
      ...{ response: answer, expectedChallenge: challengeIn(answer) },
      ...{ expectedOrigin: origin, expectedRPID: id, supportedAlgorithmIDs: ALGORITHMS },
    }).catch(() => ({ registrationInfo: undefined }));
    if (!registrationInfo) return undefined;
    const { credential } = registrationInfo;
    return {
      credentialId: Buffer.from(credential.id, "base64url"),
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: answer.response.transports ?? [],
    };
  }

  /**
   * The counter of a signature; undefined if it is not that of this key, for this origin, by a user who was verified. The
   * caller judges the challenge. It takes as long without a key.
   */
  async signed(
    answer: AuthenticationResponseJSON,
    key: StoredKey | undefined,
  ): Promise<number | undefined> {
    if (this.origin === undefined) return undefined;
    const { id, origin } = this.relyingParty();
    const { publicKey, counter } = key ?? { publicKey: NOBODYS, counter: 0 };
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response: answer, expectedChallenge: challengeIn(answer) },
      ...{ expectedOrigin: origin, expectedRPID: id },
      credential: { id: answer.id, publicKey: new Uint8Array(publicKey), counter },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }));
    return key && verified ? authenticationInfo?.newCounter : undefined;
  }

  private relyingParty(): { readonly id: string; readonly origin: string } {
    const { origin } = this;
    if (origin === undefined) {
      throw invalidInput([invalid("Passkeys are off, because PUBLIC_ORIGIN is not set")]);
    }
    return { id: new URL(origin).hostname, origin };
  }
}

/** What an authenticator calls the account. It tells no more than a token does. */
const handleOf = (id: number): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`admin-${id}`);

/** Whether a passkey that answers says that it is one of this account. */
export const isHandleOf = (id: number, { response }: AuthenticationResponseJSON): boolean =>
  response.userHandle === Buffer.from(handleOf(id)).toString("base64url");

const descriptorOf = ({ credentialId, transports }: Known) => ({
  id: credentialId.toString("base64url"),
  transports: [...transports],
});
