import { randomBytes } from "node:crypto";

/** What is to become of a delivery, or has become of it. */
export const DeliveryState = {
  WAITING: "WAITING",
  DELIVERED: "DELIVERED",
  GIVEN_UP: "GIVEN_UP",
} as const;
export type DeliveryState = keyof typeof DeliveryState;

/** Connections of a process to one endpoint, and so the deliveries that it claims for it at a time. */
export const CONNECTIONS = 4;

/**
 * Milliseconds after which a claimed delivery is not written any more as it was read, but given back. So a change that was
 * committed longer ago than this is in every message that is written.
 */
export const FRESH = 2_000;

/** One attempt to deliver an event. */
export interface DeliveryTry {
  readonly at: string;
  /** Null if no answer came. */
  readonly status: number | null;
  /** Why no whole answer came. */
  readonly fault: string | null;
  /** Its first 1,000 characters. */
  readonly answer: string;
}

/** What became of a delivery that was claimed. */
export interface SettledDelivery {
  readonly id: number;
  readonly endpointId: number;
  /** The attempts before this one. */
  readonly attempts: number;
  readonly state: DeliveryState;
  /** Milliseconds until the next attempt; null at the end. */
  readonly pause: number | null;
  readonly attempt: DeliveryTry;
  /** Whether the receiver wants no more (410). */
  readonly isGone: boolean;
  /** Whether there was no message to send, for which the endpoint is not to blame. */
  readonly isUnsendable: boolean;
}

export interface DisabledEndpoint {
  readonly id: number;
  readonly url: string;
  readonly disabledBecause: string;
}

/** How secrets begin by Standard Webhooks, so that people and programs know one where they see it. */
const PREFIX = "whsec_";

const BYTES = 32;

/** A new secret, which the shop and one receiver share. */
export const newSecret = (): string => `${PREFIX}${randomBytes(BYTES).toString("base64")}`;

export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");
