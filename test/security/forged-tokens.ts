import { EXAMPLE_SECRET } from "../../src/config/text-forms";
import { assembled, credentialOf, forgersKey, signed, signedByForger } from "./signing";

/** An administrator as stored. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly password_hash: string;
}

/** What a forger may know, and what only the service does. */
export interface World {
  readonly secret: string;
  /** A secret that tokens were signed with before, and that is no longer set. */
  readonly removedSecret: string;
  readonly admin: Account;
  readonly other: Account;
  readonly deactivated: Account;
  readonly demoted: Account;
  readonly deleted: Account;
}

type Tokens = Record<string, (world: World) => string>;

/** The claims of a token as the service issues it, and others in their place. */
export function claimsOf(account: Account, others: object = {}): object {
  const { id, email, role, password_hash } = account;
  const now = Math.floor(Date.now() / 1000);
  const credential = credentialOf(password_hash);
  const times = { iat: now, exp: now + 600, auth_time: now };
  return { id, email, role, sub: String(id), credential, ...times, ...others };
}

/** A token that is good but for these claims, undefined leaving one out. */
export const claiming = ({ admin, secret }: World, claims: object = {}): string =>
  signed(claimsOf(admin, claims), secret);

const partsOf = (world: World): [string, string, string] =>
  claiming(world).split(".") as [string, string, string];

const withHeader =
  (header: object): Tokens[string] =>
  (world) =>
    signed(claimsOf(world.admin), world.secret, header);

const algorithms: Tokens = {
  "alg none": ({ admin }) => assembled({ alg: "none" }, claimsOf(admin), ""),
  "alg None": ({ admin }) => assembled({ alg: "None" }, claimsOf(admin), ""),
  "alg NONE": ({ admin }) => assembled({ alg: "NONE" }, claimsOf(admin), ""),
  "alg none without a third part": ({ admin }) =>
    assembled({ alg: "none" }, claimsOf(admin), "").slice(0, -1),
  "alg none with a good signature": withHeader({ alg: "none" }),
  HS384: ({ admin, secret }) => signed(claimsOf(admin), secret, { alg: "HS384" }, "sha384"),
  HS512: ({ admin, secret }) => signed(claimsOf(admin), secret, { alg: "HS512" }, "sha512"),
  "RS256 with an HMAC": withHeader({ alg: "RS256" }),
  "ES256 with an HMAC": withHeader({ alg: "ES256" }),
  "HS256 with a hash of SHA-512": ({ admin, secret }) =>
    signed(claimsOf(admin), secret, { alg: "HS256" }, "sha512"),
  "RS256 of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "RS256"),
  "PS256 of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "PS256"),
  "ES256 of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "ES256"),
  "EdDSA of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "EdDSA"),
  "no alg": withHeader({ typ: "JWT" }),
  "alg null": withHeader({ alg: null }),
  "alg in a list": withHeader({ alg: ["HS256"] }),
  "alg in an object": withHeader({ alg: { name: "HS256" } }),
  "alg in lower case": withHeader({ alg: "hs256" }),
  "alg with a blank": withHeader({ alg: "HS256 " }),
};

const headers: Tokens = {
  "an embedded key": ({ admin }) => signedByForger(claimsOf(admin), "RS256", { jwk: forgersKey }),
  "an embedded symmetric key": ({ admin }) =>
    signed(claimsOf(admin), "forged", {
      alg: "HS256",
      jwk: { kty: "oct", k: Buffer.from("forged").toString("base64url") },
    }),
  "kid /dev/null and an empty secret": ({ admin }) =>
    signed(claimsOf(admin), "", { alg: "HS256", kid: "../../../../dev/null" }),
  "kid of SQL that selects the secret": ({ admin }) =>
    signed(claimsOf(admin), "forged", { alg: "HS256", kid: "x' UNION SELECT 'forged" }),
  "kid of a prototype": ({ admin }) =>
    signed(claimsOf(admin), "function Object() { [native code] }", {
      alg: "HS256",
      kid: "constructor",
    }),
  "jku of the forger's": ({ admin }) =>
    signedByForger(claimsOf(admin), "RS256", { jku: "http://127.0.0.1:1/keys.json", kid: "1" }),
  "x5u of the forger's": ({ admin }) =>
    signedByForger(claimsOf(admin), "RS256", { x5u: "http://127.0.0.1:1/key.pem" }),
  "x5c of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "RS256", { x5c: ["MIIB"] }),
  "another typ, unsigned": ({ admin }) =>
    assembled({ alg: "HS256", typ: "JWE" }, claimsOf(admin), "x"),
  "a header of text": ({ admin, secret }) => signed(claimsOf(admin), secret, '"HS256"'),
  "a header that is no JSON": ({ admin, secret }) => signed(claimsOf(admin), secret, "{alg:HS256}"),
};

const signatures: Tokens = {
  "a changed payload": (world) => {
    const [header, , signature] = partsOf(world);
    const payload = claimsOf(world.admin, { exp: 4_000_000_000 });
    return `${header}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.${signature}`;
  },
  "a changed header": (world) => {
    const [, payload, signature] = partsOf(world);
    const header = Buffer.from('{"alg":"HS256"}').toString("base64url");
    return `${header}.${payload}.${signature}`;
  },
  "no signature": (world) => `${partsOf(world).slice(0, 2).join(".")}.`,
  "two parts": (world) => partsOf(world).slice(0, 2).join("."),
  "a signature that lacks a character": (world) => claiming(world).slice(0, -1),
  "a signature that lacks half": (world) => claiming(world).slice(0, -21),
  "a signature of one more character": (world) => `${claiming(world)}A`,
  "a signature with padding": (world) => `${claiming(world)}=`,
  "a signature with other unused bits": (world) => {
    const token = claiming(world);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1]!;
  },
  "a signature in plain base64": (world) => {
    for (let exp = 4_000_000_000; ; exp += 1) {
      const [header, payload, signature] = claiming(world, { exp }).split(".");
      const plain = signature!.replaceAll("-", "+").replaceAll("_", "/");
      if (plain !== signature) return `${header}.${payload}.${plain}`;
    }
  },
  "a signature in hexadecimal": (world) => {
    const [header, payload, signature] = partsOf(world);
    return `${header}.${payload}.${Buffer.from(signature, "base64url").toString("hex")}`;
  },
  "a signature in upper case": (world) => {
    const [header, payload, signature] = partsOf(world);
    return `${header}.${payload}.${signature.toUpperCase()}`;
  },
  "the signature of another token": (world) => {
    const [header, payload] = partsOf(world);
    return `${header}.${payload}.${claiming(world, { jti: "1" }).split(".")[2]}`;
  },
  "a padded payload": (world) => {
    const [header, payload, signature] = partsOf(world);
    return `${header}.${payload}=.${signature}`;
  },
  "parts in another order": (world) => partsOf(world).toReversed().join("."),
  "four parts": (world) => `${claiming(world)}.x`,
  "five parts, as if encrypted": (world) => `${claiming(world)}.x.y`,
  "a leading dot": (world) => `.${claiming(world)}`,
  "JSON serialization": (world) => {
    const [header, payload, signature] = partsOf(world);
    return JSON.stringify({ protected: header, payload, signature });
  },
  "a token in a token": (world) =>
    signed(JSON.stringify(claiming(world)), world.secret, { alg: "HS256", cty: "JWT" }),
  "7 kB, signed by nobody": (world) =>
    signed(claimsOf(world.admin, { padding: "x".repeat(5000) }), "forged"),
  garbage: () => "garbage",
  dots: () => "..",
  "many dots": () => ".".repeat(5000),
};

const secrets: Tokens = Object.fromEntries(
  Object.entries<(world: World) => string | Buffer>({
    "another secret": () => "another secret of 32 characters...",
    "an empty secret": () => "",
    "the published example of a secret": () => EXAMPLE_SECRET,
    "a secret that was removed": ({ removedSecret }) => removedSecret,
    "the secret and a line break": ({ secret }) => `${secret}\n`,
    "the secret in upper case": ({ secret }) => secret.toUpperCase(),
    "the secret's bytes": ({ secret }) => Buffer.from(secret, "hex"),
    "the secret in base64": ({ secret }) => Buffer.from(secret).toString("base64"),
    "half of the secret": ({ secret }) => secret.slice(0, 32),
    "the word secret": () => "secret",
    "the word undefined": () => "undefined",
    "the word null": () => "null",
    "the password's hash as secret": ({ admin }) => admin.password_hash,
    "the e-mail address as secret": ({ admin }) => admin.email,
  }).map(([name, secretOf]) => [name, (world) => signed(claimsOf(world.admin), secretOf(world))]),
);

/** Tokens that no one but the holder of the secret could make good. */
export const forgedTokens: Tokens = { ...algorithms, ...headers, ...signatures, ...secrets };
