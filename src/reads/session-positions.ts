import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { DataSettings } from "../config/settings";
import type { Position } from "./position";

/** Timeline, place, and 32 bytes in base64url. */
const FORM = /^([1-9][0-9]{0,9})\.([0-9]{1,20})\.([\w-]{43})$/;

/** Positions as clients keep them: signed, so that nobody can make the service wait for a place of their own. */
export class SessionPositions {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor({ secret, previousSecrets }: DataSettings) {
    this.keys = [keyOf(secret), ...previousSecrets.map(keyOf)];
  }

  textOf(position: Position): string {
    return `${position.timeline}.${position.place}.${signature(position, this.keys[0])}`;
  }

  /** The position in a text; undefined for any other text, also one of another database. */
  read(text: string, { identity }: Pick<Position, "identity">): Position | undefined {
    const [, timeline, place, signed] = FORM.exec(text) ?? [];
    if (place === undefined || signed === undefined) return undefined;
    const position = { identity, timeline: Number(timeline), place: BigInt(place) };
    const given = Buffer.from(signed);
    const isSigned = this.keys.some((key) =>
      timingSafeEqual(given, Buffer.from(signature(position, key))),
    );
    return isSigned ? position : undefined;
  }
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The words before the values distinguish these signatures from those for other purposes. */
const signature = ({ identity, timeline, place }: Position, key: KeyObject): string =>
  createHmac("sha256", key)
    .update(`session position ${identity} ${timeline} ${place}`)
    .digest("base64url");
