import { randomBytes } from "node:crypto";
import type { DataSettings } from "../../../config/settings";
import { Signer } from "../../secrets/signer";

/** What an authenticator signs a challenge for. */
export type Purpose = "login" | "confirmation" | "set-up";

/** What a challenge is good for. A login has no session yet. */
export interface Ceremony {
  readonly purpose: Purpose;
  readonly session?: string | undefined;
}

/** A challenge that can be used, unless it has been. */
export interface Challenge {
  readonly nonce: Buffer;
  readonly endsAt: Date;
}

/** Milliseconds for which a challenge is valid. */
export const CHALLENGE_TTL = 5 * 60 * 1000;

const NONCE = 16;
const TIME = 6;

/** Challenges of WebAuthn. They are signed, so that none is stored before it is used. */
export class Challenges {
  private readonly signer: Signer;

  constructor(data: DataSettings) {
    this.signer = new Signer("challenges", data);
  }

  /** A challenge as text: a nonce and the time of its end, and the signature of both with the ceremony. */
  issue(ceremony: Ceremony): string {
    const end = Buffer.alloc(TIME);
    end.writeUIntBE(Date.now() + CHALLENGE_TTL, 0, TIME);
    const head = Buffer.concat([randomBytes(NONCE), end]).toString("base64url");
    return `${head}.${this.signer.sign(signed(head, ceremony))}`;
  }

  /**
   * What is known of a challenge that an authenticator has signed, as browsers write it, in base64url. Undefined if the
   * service did not issue it, issued it for something else, or it has expired.
   */
  read(challenge: string, ceremony: Ceremony): Challenge | undefined {
    const [head = "", signature = ""] = Buffer.from(challenge, "base64url").toString().split(".");
    if (!this.signer.accepts(signature, signed(head, ceremony))) return undefined;
    const bytes = Buffer.from(head, "base64url");
    const endsAt = new Date(bytes.readUIntBE(NONCE, TIME));
    if (endsAt.getTime() <= Date.now()) return undefined;
    return { nonce: bytes.subarray(0, NONCE), endsAt };
  }
}

const signed = (head: string, { purpose, session = "" }: Ceremony): string =>
  `${head} ${purpose} ${session}`;
