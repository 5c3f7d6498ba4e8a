import { Migrator } from "../../src/database/migrations/migrator";
import { startApp, startReplica, type TestApp } from "./app";
import { query } from "./database";
import { eventually } from "./eventually";
import { startReplicated, type ReplicatedServers, type Server } from "./replicated";

export const POSITION = "X-Session-Position";

const HOUR = 3_600_000;

/** Two processes of one deployment, which read from two replicas. */
interface ReplicatedShop {
  readonly servers: ReplicatedServers;
  readonly app: TestApp;
  readonly other: TestApp;
  /** Lets both replicas replay nothing more, or go on. */
  readonly each: (act: "pause" | "resume") => Promise<unknown>;
  /** Waits until the replicas, or these of them, have all that the primary has. */
  readonly inStep: (replicas?: readonly Server[]) => Promise<void>;
}

/**
 * A shop with replicas for the tests of a file, started before all of them and closed after them. Its processes may lag
 * for an hour. After each test, the replicas go on. Only hooks and tests can use the members.
 */
export function useReplicatedShop(): ReplicatedShop {
  const [app, other] = [{} as TestApp, {} as TestApp];
  const servers = {} as ReplicatedServers;
  const each = (act: "pause" | "resume") =>
    Promise.all(servers.replicas.map((replica) => replica[act]()));
  beforeAll(async () => {
    Object.assign(servers, await startReplicated(2));
    const url = servers.primary.url;
    await new Migrator({ databaseUrl: url }).up();
    const replicaUrls = servers.replicas.map((replica) => replica.url);
    const database = { url, replicaUrls, replicaMaxLag: HOUR, poolSize: 4 };
    Object.assign(app, await startApp({ database }));
    Object.assign(other, await startReplica(app));
  }, 60_000);
  afterAll(async () => {
    await other.close();
    await app.close();
    await servers.close();
  });
  afterEach(() => each("resume").catch(() => undefined)); // one of them may have been promoted
  return { servers, app, other, each, inStep: (replicas) => inStep(servers, replicas) };
}

async function inStep(
  { primary, replicas: all }: ReplicatedServers,
  replicas: readonly Server[] = all,
): Promise<void> {
  const [end] = await query<{ lsn: string }>(primary.url, "SELECT pg_current_wal_lsn() AS lsn");
  for (const replica of replicas) {
    await eventually(async () => {
      const [row] = await query<{ reached: boolean }>(
        replica.url,
        "SELECT pg_last_wal_replay_lsn() >= $1 AS reached",
        [end?.lsn],
      );
      return row?.reached;
    });
  }
}

/** The replicas that a process reads from, by its log. */
function usedBy({ log }: TestApp): string[] {
  const last = new Map<string, string>();
  for (const line of log) {
    const { replica, msg } = JSON.parse(line) as { replica?: string; msg: string };
    if (replica !== undefined) last.set(replica, msg);
  }
  return [...last]
    .filter(([, msg]) => msg === "reading from a replica")
    .map(([replica]) => replica);
}

/** Reads until a process reads from so many replicas. No read is refused meanwhile, unless it may be. */
export async function usesReplicas(of: TestApp, count: number, mayRefuse = false): Promise<void> {
  await eventually(async () => {
    const answer = await of.http.post("/graphql").send({ query: "{ categories { id } }" });
    if (mayRefuse && answer.status === 503) return false;
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/"data"/);
    return usedBy(of).length === count;
  });
}

export const [AT_REST, BY_GRAPHQL] = ["REST", "GraphQL"] as const;
type Door = typeof AT_REST | typeof BY_GRAPHQL;

/** Renames a category; returns the position that the answer has. */
export async function rename(of: TestApp, door: Door, id: number, name: string): Promise<string> {
  const query =
    "mutation ($id: Int!, $name: String!) { updateCategory(id: $id, input: { name: $name }) { id } }";
  const request =
    door === AT_REST
      ? of.http.patch(`/categories/${id}`).send({ name })
      : of.http.post("/graphql").send({ query, variables: { id, name } });
  const { headers } = await request.set("Authorization", of.asAdmin);
  return String((headers as Record<string, string>)[POSITION.toLowerCase()]);
}

/** The name of a category, as a client sees it that sends a position. */
export async function nameOf(
  of: TestApp,
  door: Door,
  id: number,
  position?: string,
): Promise<string> {
  const request = door === AT_REST ? of.http.get("/categories") : of.http.post("/graphql");
  if (position !== undefined) request.set(POSITION, position);
  if (door === AT_REST) {
    const { body } = await request;
    return (body as { id: number; name: string }[]).find((each) => each.id === id)?.name ?? "";
  }
  const { body } = await request.send({ query: `{ category(id: ${id}) { name } }` });
  return (body as { data: { category: { name: string } } }).data.category.name;
}
