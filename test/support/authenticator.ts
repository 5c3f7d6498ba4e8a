import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";

/** What the tests use of the options for creation and for requests. */
export interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** How an answer differs from that of an honest authenticator. */
export interface Deviation {
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Whether it has verified its user. */
  readonly verified?: boolean;
  /** Present and verified unless it is said. */
  readonly counter?: number;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

/** The head of a CBOR item (RFC 8949) of up to 65,535. */
function head(type: number, value: number): Buffer {
  const major = type << 5;
  if (value < 24) return Buffer.from([major | value]);
  if (value < 256) return Buffer.from([major | 24, value]);
  return Buffer.from([major | 25, value >> 8, value & 255]);
}
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: Buffer[]): Buffer =>
  Buffer.concat([head(5, entries.length / 2), ...entries]);

/** An authenticator without a browser: it holds one passkey of P-256, and answers as browsers write answers. */
export class Authenticator {
  readonly id = randomBytes(32).toString("base64url");
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly key: JsonWebKey;
  private user: string | undefined;

  constructor(private readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.privateKey = privateKey;
    this.key = publicKey.export({ format: "jwk" });
  }

  /** Answers creation options. */
  create(options: Options, deviation: Deviation = {}): object {
    this.user = options.user?.id;
    const authData = Buffer.concat([
      this.head(options.rp?.id, deviation, WITH_KEY),
      Buffer.alloc(16),
      Buffer.from([0, 32]),
      Buffer.from(this.id, "base64url"),
      this.coseKey(),
    ]);
    const attestation = map(
      ...[text("fmt"), text("none"), text("attStmt"), map(), text("authData"), bytes(authData)],
    );
    const attestationObject = attestation.toString("base64url");
    const clientDataJSON = this.clientData("webauthn.create", options, deviation).toString(
      "base64url",
    );
    return this.answer({ clientDataJSON, attestationObject, transports: ["internal"] });
  }

  /** Answers request options. */
  get(options: Options, deviation: Deviation = {}): object {
    this.counter += 1;
    const clientData = this.clientData("webauthn.get", options, deviation);
    const authData = this.head(options.rpId, deviation, 0);
    const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), {
      key: this.privateKey,
      dsaEncoding: "der",
    });
    return this.answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: this.user,
    });
  }

  private answer(response: object): object {
    const { id } = this;
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  private clientData(
    type: string,
    { challenge }: Options,
    deviation: Pick<Deviation, "origin" | "challenge" | "type">,
  ): Buffer {
    const { origin } = this;
    return Buffer.from(JSON.stringify({ type, challenge, origin, ...deviation }));
  }

  private head(rpId = "", { verified = true, counter = this.counter }: Deviation, more: number) {
    const after = Buffer.alloc(5);
    after[0] = PRESENT | (verified ? VERIFIED : 0) | more;
    after.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), after]);
  }

  private coseKey(): Buffer {
    const part = (name: "x" | "y"): Buffer =>
      bytes(Buffer.from(String(this.key[name]), "base64url"));
    const pairs = [integer(1), integer(2), integer(3), integer(-7), integer(-1), integer(1)];
    return map(...pairs, integer(-2), part("x"), integer(-3), part("y"));
  }
}
