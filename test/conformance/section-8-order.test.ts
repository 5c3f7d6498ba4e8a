import { useApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { send } from "../support/raw-http";

const app = useApp();

clauseEach<{ path: string; make: (created_at: string) => Promise<{ id: number }> }>(
  "8.4",
  "lists are ordered by createdAt, newest first, then by id, highest first",
  {
    "GET /products": {
      path: "/products",
      make: (created_at) => app.make.product({ created_at }),
    },
    "GET /orders": { path: "/orders", make: (created_at) => app.make.order({ created_at }) },
  },
  async ({ path, make }) => {
    const oldest = await make("2024-01-01T00:00:00.001Z");
    const newest = await make("2025-06-01T12:00:00.000Z");
    const tied = await make("2024-01-01T00:00:00.002Z");
    // Finer than a millisecond is neither stored nor shown, so it does not sort, either.
    const tiedLater = await make("2024-01-01T00:00:00.0021Z");
    const headers = { authorization: app.asAdmin };
    const { body } = await send(app.url, { method: "GET", path, headers });
    expect((body as { data: unknown[] }).data).toMatchObject([
      { id: newest.id, createdAt: "2025-06-01T12:00:00.000Z" },
      { id: tiedLater.id, createdAt: "2024-01-01T00:00:00.002Z" },
      { id: tied.id, createdAt: "2024-01-01T00:00:00.002Z" },
      { id: oldest.id, createdAt: "2024-01-01T00:00:00.001Z" },
    ]);
  },
);
