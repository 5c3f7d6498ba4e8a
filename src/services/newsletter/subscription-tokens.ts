import type { DataSettings } from "../../config/settings";
import { isStorableId } from "../../vocabulary/ids";
import { Signer } from "../secrets/signer";
import type { SubscriberRecord } from "./subscribers";

/** Stands for a token where an event is only looked at. */
const MASK = "***";

/** Seconds for which a subscription can be confirmed. A message of it may be under way for three days of them. */
const CONFIRMABLE = 7 * 86_400;

const UNSUBSCRIBE = /^([1-9][0-9]{0,9})\.([\w-]{43})$/;
const CONFIRM = /^([1-9][0-9]{0,9})\.([0-9]{1,10})\.([0-9]{1,12})\.([\w-]{43})$/;

/** What a token is derived from. */
type Subscription = Pick<SubscriberRecord, "id" | "email" | "createdAt">;

/** An event of a subscription, or of something else. */
interface SentEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Tokens that customers get by mail. They are signatures of what is stored, so that none is stored itself:
 * `<id>.<signature>` ends a subscription at any time, `<id>.<version>.<seconds since 1970>.<signature>` confirms the
 * request that has this version and was told at this time.
 */
export class SubscriptionTokens {
  private readonly signer: Signer;

  constructor(data: DataSettings) {
    this.signer = new Signer("subscriptions", data);
  }

  unsubscribeTokenOf({ id, createdAt }: Pick<Subscription, "id" | "createdAt">): string {
    return `${id}.${this.signer.sign(endText(id, createdAt.toISOString()))}`;
  }

  /** The data of an event with its tokens, as a message has it. */
  reveal({ type, at, data }: SentEvent): SentEvent["data"] {
    if (!isOfSubscription(type)) return data;
    const { id, email, createdAt, version, confirmToken } = data;
    const end = this.signer.sign(endText(id, createdAt));
    if (confirmToken === undefined) return { ...data, unsubscribeToken: `${String(id)}.${end}` };
    const request = [id, version, Math.floor(at.getTime() / 1000)].join(".");
    return {
      ...data,
      confirmToken: `${request}.${this.signer.sign(confirmText(request, createdAt, email))}`,
      unsubscribeToken: `${String(id)}.${end}`,
    };
  }

  /** The subscription that a token of either form names; undefined if it has neither. */
  idIn(token: string): number | undefined {
    const id = Number((UNSUBSCRIBE.exec(token) ?? CONFIRM.exec(token))?.[1]);
    return isStorableId(id) ? id : undefined;
  }

  /** Whether a token ends a subscription. */
  ends(token: string, { id, createdAt }: Subscription): boolean {
    const [, , signature] = UNSUBSCRIBE.exec(token) ?? [];
    return (
      signature !== undefined &&
      this.signer.accepts(signature, endText(id, createdAt.toISOString()))
    );
  }

  /** The version of the request that a token confirms; undefined if it is not of this subscription, or has expired. */
  confirms(token: string, { id, email, createdAt }: Subscription): number | undefined {
    const [, , version, seconds, signature] = CONFIRM.exec(token) ?? [];
    if (signature === undefined || Number(seconds) + CONFIRMABLE < Date.now() / 1000) return;
    const text = confirmText([id, version, seconds].join("."), createdAt.toISOString(), email);
    return this.signer.accepts(signature, text) ? Number(version) : undefined;
  }
}

/** The data of an event as people see it, without its tokens. */
export const withoutTokens = ({
  type,
  data,
}: Pick<SentEvent, "type" | "data">): SentEvent["data"] =>
  isOfSubscription(type) ? { ...data, unsubscribeToken: MASK } : data;

const isOfSubscription = (type: string): boolean => type.startsWith("subscription.");

/** An event has texts as GraphQL shows them, unless SQL has stored others: then its tokens are of no use. */
const endText = (id: unknown, createdAt: unknown): string => JSON.stringify(["end", id, createdAt]);

const confirmText = (request: string, createdAt: unknown, email: unknown): string =>
  JSON.stringify(["confirm", request, createdAt, email]);
