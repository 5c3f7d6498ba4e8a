import { startReplica } from "../support/app";
import { eventually } from "../support/eventually";
import {
  AT_REST,
  BY_GRAPHQL,
  nameOf,
  rename,
  usesReplicas,
  useReplicatedShop,
} from "../support/replicated-shop";
import { spawnService } from "../support/service";
import { startTransactionPooler } from "../support/transaction-pooler";

jest.setTimeout(120_000);

const { app, each, inStep, servers } = useReplicatedShop();

test("poolers in transaction mode before the primary and the replicas change nothing", async () => {
  const poolers = await Promise.all(
    [servers.primary, ...servers.replicas].map(({ url }) =>
      startTransactionPooler(url, { names: "kept" }),
    ),
  );
  const [url = "", ...replicaUrls] = poolers.map((each) => each.url);
  const shop = await startReplica(app, { database: { url, replicaUrls } });
  await usesReplicas(shop, 2);
  const { id } = await app.make.category();
  for (let round = 0; round < 20; round += 1) {
    await rename(shop, round % 2 ? AT_REST : BY_GRAPHQL, id, `Pooled ${round}`);
    expect(await nameOf(shop, AT_REST, id)).toBe(`Pooled ${round}`);
    expect(await nameOf(shop, BY_GRAPHQL, id)).toBe(`Pooled ${round}`);
  }
  await inStep();
  await each("pause");
  await app.sql("UPDATE categories SET name = 'Unseen' WHERE id = $1", [id]);
  await eventually(async () => (await nameOf(shop, AT_REST, id)) === "Pooled 19");
  await each("resume");
  await shop.close();
  expect(poolers.flatMap(({ refused }) => refused)).toEqual([]);
  await Promise.all(poolers.map((pooler) => pooler.close()));
});

test.each([
  ["always", {}],
  ["until a client has written", { untilWrite: true }],
  ["of one connection in ten", { clients: (number: number) => number % 10 === 0 }],
])(
  "a start is refused where a pooler sends reads to replicas by itself, %s",
  async (_, balance) => {
    const [{ url: to } = { url: "" }] = servers.replicas;
    const pooler = await startTransactionPooler(servers.primary.url, {
      names: "kept",
      balance: { to, ...balance },
    });
    const refused = spawnService(pooler.url, { MIGRATION_DATABASE_URL: servers.primary.url });
    void refused.prints(/"listening"/).then(
      () => refused.signal("SIGTERM"), // instead of a time-out
      () => undefined,
    );
    expect((await refused.ended).code).toBe(1);
    expect(refused.printed("stderr")).toBe(
      "DATABASE_URL leads to a pooler that sends reads to standbys by itself, so clients would not see what they have changed: turn its load balancing off, and name the standbys in DATABASE_REPLICA_URLS\n",
    );
    await pooler.close();
  },
);

test("what a replica behind a pooler has said does not count for another one behind it", async () => {
  const [near, far] = servers.replicas.map(({ url }) => url) as [string, string];
  let hasMoved = false;
  const pooler = await startTransactionPooler(near, {
    names: "kept",
    balance: { to: far, clients: () => hasMoved, everything: true },
  });
  const pooled = await startReplica(app, { database: { replicaUrls: [pooler.url] } });
  await usesReplicas(pooled, 1);
  const { id } = await app.make.category();
  await rename(pooled, AT_REST, id, "Before");
  await inStep();
  await servers.replicas[1]?.pause();
  await rename(pooled, AT_REST, id, "After");
  await inStep(servers.replicas.slice(0, 1));
  expect(await nameOf(pooled, AT_REST, id)).toBe("After");
  hasMoved = true;
  expect(await nameOf(pooled, AT_REST, id)).toBe("After");
  expect(await nameOf(pooled, BY_GRAPHQL, id)).toBe("After");
  await pooled.close();
  await pooler.close();
});

test("replicas that have crashed behind poolers are read only once they have again what they had", async () => {
  for (const replica of servers.replicas) {
    // Counts from the next start on.
    await replica.tell("ALTER SYSTEM SET recovery_min_apply_delay = '1h'");
  }
  const poolers = await Promise.all(
    servers.replicas.map(({ url }) => startTransactionPooler(url, { names: "kept" })),
  );
  const pooled = await startReplica(app, {
    database: { replicaUrls: poolers.map(({ url }) => url) },
  });
  await usesReplicas(pooled, 2);
  const { id } = await app.make.category();
  await rename(pooled, AT_REST, id, "Had");
  await inStep();
  for (let round = 0; round < 4; round += 1) {
    expect(await nameOf(pooled, BY_GRAPHQL, id)).toBe("Had");
  }
  // The poolers keep their clients' connections meanwhile.
  await Promise.all(servers.replicas.map((replica) => replica.kill()));
  await Promise.all(servers.replicas.map((replica) => replica.start()));
  for (let round = 0; round < 20; round += 1) {
    expect(await nameOf(pooled, AT_REST, id)).toBe("Had");
    expect(await nameOf(pooled, BY_GRAPHQL, id)).toBe("Had");
  }
  await pooled.close();
  await Promise.all(poolers.map((pooler) => pooler.close()));
});
