import { audit, orderableProducts } from "../support/orders.mjs";
import { auditFindings } from "../support/report.mjs";
import { freePort, Service } from "../support/service.mjs";

/** Where one promise is put to the test: a database of its own, and services on it. */
export class Stage {
  constructor(postgres, cleanup) {
    this.postgres = postgres;
    this.cleanup = cleanup;
  }

  /** Prepares the database; returns it, the products that can be ordered, and a free port. */
  /** @returns {Promise<this>} */
  async set() {
    this.databaseUrl = await this.postgres.createDatabase();
    this.products = await orderableProducts(this.postgres, this.databaseUrl);
    this.port = await freePort();
    return this;
  }

  sql(text, values) {
    return this.postgres.sql(this.databaseUrl, text, values);
  }

  /** Starts a service that can serve, on the stage's port. */
  start(options = {}) {
    const { databaseUrl, port } = this;
    return new Service({ databaseUrl, port, ...options }, this.cleanup).ready();
  }

  /** Starts two services on one database. */
  async startTwo(options = {}) {
    return [await this.start(options), await this.start({ ...options, port: await freePort() })];
  }

  /** The findings of an audit of all orders; see {@link audit}. */
  async audit(acknowledged) {
    return auditFindings(await audit(this.postgres, this.databaseUrl, acknowledged));
  }
}
