import type { InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import {
  deleteRow,
  insertRow,
  rowsBy,
  selectRows,
  updateRow,
} from "../../database/statements/model-table";
import { runSql } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { WebhookEndpoint } from "../../models";
import { invalidInput, notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { newSecret } from "../../vocabulary/webhook-secret";
import { assertVersion, changeExpected, type ChangeTerms } from "../record/versions";
import type { SealedSecrets } from "../secrets/sealed-secrets";
import { WEBHOOK_ENDPOINT } from "../secrets/sealed-tables";
import type {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
} from "./inputs/webhook-endpoint-input";
import { messagesUnderWay } from "./messages-under-way";

export type EndpointRecord = InferAttributes<WebhookEndpoint>;

const MOST = 100;

/** Deliveries of a deleted endpoint that one statement deletes. */
const DELETED_AT_ONCE = 5_000;

const NOUN = "Webhook endpoint";

/** Who is told of events. */
export class Endpoints {
  private readonly endpoints: Repository<WebhookEndpoint>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly secrets: SealedSecrets,
  ) {
    this.endpoints = sequelize.getRepository(WebhookEndpoint);
  }

  /** All endpoints, oldest first. There are few. */
  list(): Promise<EndpointRecord[]> {
    return selectRows(this.sequelize, this.endpoints, { rest: sql`ORDER BY id` });
  }

  async find(id: number): Promise<EndpointRecord | null> {
    if (!isStorableId(id)) return null;
    const [endpoint] = await rowsBy(this.sequelize, this.endpoints, "id", [id]);
    return endpoint ?? null;
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
      await runSql(this.sequelize, sql`SELECT pg_advisory_xact_lock(7238005)`, { transaction });
      const [row] = await runSql<{ count: number }>(
        this.sequelize,
        sql`SELECT count(*)::integer AS count FROM webhook_endpoints`,
        { transaction },
      );
      if ((row?.count ?? 0) >= MOST) {
        const message = `there must be no more than ${MOST} endpoints`;
        throw invalidInput([{ message, reason: { code: "OUT_OF_RANGE", min: 0, max: MOST } }]);
      }
      const { url, description, types, includeLookup } = input;
      const sealed = this.secrets.seal(secret, WEBHOOK_ENDPOINT);
      const values = {
        ...{ url, description: description ?? "", types: types ?? [] },
        ...{ includeLookup: includeLookup ?? false, secret: sealed },
      };
      return insertRow(this.sequelize, this.endpoints, values, { transaction });
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
    const endpoint = await changeExpected(row, (where) =>
      updateRow(this.sequelize, this.endpoints, where, { ...changes, ...again }),
    );
    await messagesUnderWay(this.sequelize);
    return endpoint;
  }

  /** Deletes an endpoint with its deliveries. When this resolves, nothing more is sent to it. @throws DomainError NOT_FOUND */
  async delete(id: number): Promise<EndpointRecord> {
    if (!isStorableId(id)) throw notFound(NOUN);
    const endpoint = await deleteRow(this.sequelize, this.endpoints, [sql`id = ${id}`]);
    if (!endpoint) throw notFound(NOUN);
    // Before its deliveries are gone, which show that messages may be under way.
    await messagesUnderWay(this.sequelize);
    // What is left, because this is interrupted or an event is being written, nobody sends: the retention deletes it.
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      // By ctid: a join by id compares all rows with these when the planner believes that the table is empty.
      const some = sql`SELECT ctid FROM webhook_deliveries WHERE endpoint_id = ${id} LIMIT ${DELETED_AT_ONCE}`;
      const statement = sql`DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(${some})) RETURNING id`;
      deleted = (await runSql(this.sequelize, statement)).length;
    }
    return endpoint;
  }

  /**
   * Gives an endpoint another secret, and returns it. The old one signs beside it for a day.
   *
   * @throws DomainError NOT_FOUND
   */
  async rotateSecret(id: number): Promise<string> {
    const secret = newSecret();
    const { secret: present } = await this.get(id);
    // A secret that no key opens can't sign, and beside it the new one could not either.
    const previousSecret =
      this.secrets.open(present, WEBHOOK_ENDPOINT) === undefined ? null : present;
    const rotated = await updateRow(
      this.sequelize,
      this.endpoints,
      [sql`id = ${id}`, sql`secret = ${present}`],
      {
        secret: this.secrets.seal(secret, WEBHOOK_ENDPOINT),
        previousSecret,
        rotatedAt: new Date(),
      },
    );
    // Somebody else has just rotated it, so their secret becomes the previous one.
    if (!rotated) return this.rotateSecret(id);
    await messagesUnderWay(this.sequelize);
    return secret;
  }

  /** The secrets that sign an endpoint's messages, newest first; undefined if no key opens them. */
  secretsOf(sealed: readonly string[]): readonly string[] | undefined {
    const opened = sealed.map((each) => this.secrets.open(each, WEBHOOK_ENDPOINT));
    return opened.every((each) => each !== undefined) ? opened : undefined;
  }
}
