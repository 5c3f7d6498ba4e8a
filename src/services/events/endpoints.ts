import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql, runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { WebhookEndpoint } from "../../models";
import { invalidInput, notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { newSecret } from "../../vocabulary/webhooks";
import {
  assertVersion,
  deleteExpected,
  updateExpected,
  type ChangeTerms,
} from "../record/versions";
import type { SealedSecrets } from "../secrets/sealed-secrets";
import { WEBHOOK_ENDPOINT } from "../secrets/sealed-tables";
import type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from "./inputs";
import { messagesUnderWay } from "./delivery-queue";

export type EndpointRecord = InferAttributes<WebhookEndpoint>;

const MOST = 100;

/** Deliveries of a deleted endpoint that one statement deletes. */
const DELETED_AT_ONCE = 5_000;

const NOUN = "Webhook endpoint";

/** The fields that decide whether and where a delivery that waits is sent, and what its message says. */
const inMessages = ["url", "isActive", "includeLookup"];

/** The receivers of webhooks. */
export class Endpoints {
  private readonly endpoints = this.sequelize.getRepository(WebhookEndpoint);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly secrets: SealedSecrets,
  ) {}

  /** All endpoints, oldest first. There are few. */
  list(): Promise<EndpointRecord[]> {
    return this.endpoints.findAll({ order: ["id"], raw: true });
  }

  async find(id: number): Promise<EndpointRecord | null> {
    if (!isStorableId(id)) return null;
    return this.endpoints.findByPk(id, { raw: true });
  }

  /** @throws DomainError NOT_FOUND */
  async get(id: number): Promise<EndpointRecord> {
    const endpoint = await this.find(id);
    if (!endpoint) throw notFound(NOUN);
    return endpoint;
  }

  /**
   * Creates an endpoint, which gets the events from now on. This is the only time that its secret is shown.
   *
   * @throws DomainError INVALID_INPUT if there are 100 already
   */
  async create(
    input: CreateWebhookEndpointInput,
  ): Promise<{ readonly endpoint: EndpointRecord; readonly secret: string }> {
    const secret = newSecret();
    const endpoint = await inTransaction(this.sequelize, async (transaction) => {
      // One after another, so that two at once don't exceed the limit.
      const lock = sql`SELECT pg_advisory_xact_lock(7238005)`;
      await runWithin(this.sequelize, transaction, lock);
      if ((await this.endpoints.count({ transaction })) >= MOST) {
        const message = `there must be no more than ${MOST} endpoints`;
        throw invalidInput([{ message, reason: { code: "OUT_OF_RANGE", min: 0, max: MOST } }]);
      }
      const { url, description, types, includeLookup } = input;
      const sealed = this.secrets.seal(secret, WEBHOOK_ENDPOINT);
      const values = {
        ...{ url, description: description ?? "", types: types ?? [] },
        ...{ includeLookup: includeLookup ?? false, secret: sealed },
      };
      return (await this.endpoints.create(values, { transaction })).get({ plain: true });
    });
    return { endpoint, secret };
  }

  /**
   * Changes only the given fields. An endpoint that is made active again begins anew: why it was inactive is forgotten.
   * When this resolves, nothing more is sent as it was before.
   *
   * @throws DomainError NOT_FOUND, or CONFLICT if it has another version than the expected one
   */
  async update(
    id: number,
    { ...changes }: UpdateWebhookEndpointInput,
    terms: ChangeTerms = {},
  ): Promise<EndpointRecord> {
    if (!isStorableId(id)) throw notFound(NOUN);
    if (Object.keys(changes).length === 0) {
      const endpoint = await this.get(id);
      assertVersion(NOUN, endpoint, terms);
      return endpoint;
    }
    const again = changes.isActive === true ? { disabledBecause: null, failingSince: null } : {};
    const row = { sequelize: this.sequelize, model: this.endpoints, noun: NOUN, id, terms };
    const endpoint = await updateExpected(row, { ...changes, ...again });
    if (inMessages.some((name) => name in changes)) await messagesUnderWay(this.sequelize);
    return endpoint;
  }

  /** Deletes an endpoint with its deliveries. When this resolves, nothing more is sent to it. @throws DomainError NOT_FOUND */
  async delete(id: number): Promise<EndpointRecord> {
    if (!isStorableId(id)) throw notFound(NOUN);
    const row = { sequelize: this.sequelize, model: this.endpoints, noun: NOUN, id, terms: {} };
    const endpoint = await deleteExpected(row);
    // Before its deliveries are gone, which show that messages may be under way.
    await messagesUnderWay(this.sequelize);
    // The retention deletes what is left if this is interrupted, or what others are writing. None of it is sent.
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      // By ctid: a join by id compares all rows with these when the planner believes that the table is empty.
      const some = sql`SELECT ctid FROM webhook_deliveries WHERE endpoint_id = ${id} LIMIT ${DELETED_AT_ONCE}`;
      const statement = sql`DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(${some})) RETURNING id`;
      deleted = (await runSql(this.sequelize, statement)).length;
    }
    return endpoint;
  }

  /**
   * Gives an endpoint another secret, and returns it. The old one signs as well for a day.
   *
   * @throws DomainError NOT_FOUND
   */
  async rotateSecret(id: number): Promise<string> {
    const secret = newSecret();
    await inTransaction(this.sequelize, async (transaction) => {
      const endpoint = await this.endpoints.findByPk(id, { transaction, lock: true });
      if (!endpoint) throw notFound(NOUN);
      const present = endpoint.secret;
      // A secret that no key opens can't sign, and with it the new one could not either.
      const opens = this.secrets.open(present, WEBHOOK_ENDPOINT) !== undefined;
      const previousSecret = opens ? present : null;
      const sealed = this.secrets.seal(secret, WEBHOOK_ENDPOINT);
      await endpoint.update(
        { secret: sealed, previousSecret, rotatedAt: new Date() },
        { transaction },
      );
    });
    await messagesUnderWay(this.sequelize);
    return secret;
  }

  /** The secrets that sign an endpoint's messages, newest first; undefined if no key opens them. */
  secretsOf(sealed: readonly string[]): readonly string[] | undefined {
    const opened = sealed.map((each) => this.secrets.open(each, WEBHOOK_ENDPOINT));
    return opened.every((each) => each !== undefined) ? opened : undefined;
  }
}
