import { orderableProducts } from "../support/orders.mjs";
import { freePort, Service } from "../support/service.mjs";

/** Where one promise is put to the test: a database of its own, and services on it. */
export class Stage {
  constructor(postgres, cleanup) {
    this.postgres = postgres;
    this.cleanup = cleanup;
  }

  /** Prepares the database; returns it, the products that can be ordered, and a free port. */
  async set() {
    this.databaseUrl = await this.postgres.createDatabase();
    this.products = await orderableProducts(this.postgres, this.databaseUrl);
    this.port = await freePort();
    return this;
  }

  /** Starts a service on the stage's port; does not wait for it. */
  launch(options = {}) {
    return new Service(
      { databaseUrl: this.databaseUrl, port: this.port, ...options },
      this.cleanup,
    );
  }

  /** Starts a service that can serve. */
  start(options) {
    return this.launch(options).ready();
  }
}
