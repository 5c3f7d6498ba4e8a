import { randomBytes } from "node:crypto";

/** How secrets begin by Standard Webhooks, so that people and programs know one where they see it. */
const PREFIX = "whsec_";

const BYTES = 32;

/** A new secret, which the shop and one receiver share. */
export const newSecret = (): string => `${PREFIX}${randomBytes(BYTES).toString("base64")}`;

/** The bytes that sign. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");
