import { startReplicated, type ReplicatedServers } from "../support/replicated";
import { tea } from "./terminal";

jest.setTimeout(60_000);

let servers: ReplicatedServers;
beforeAll(async () => {
  servers = await startReplicated(1);
});
afterAll(() => servers.close());

test("of a replica, what is read there is tried, and that it is one is said", async () => {
  const { exitCode, stdout, stderr } = await tea("database check", {
    environment: { DATABASE_URL: servers.replicas[0]!.url },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [server, replica, ...lines] = stdout.trimEnd().split("\n");
  expect([server, replica]).toEqual([
    expect.stringMatching(/^PostgreSQL [0-9]/),
    "It is a replica: what the service reads there is tried, and nothing else",
  ]);
  expect(lines.pop()).toBe(`All ${lines.length} features work`);
  expect(lines).toContainEqual(
    expect.stringMatching(/^works {2}places in the write-ahead log +reads from replicas$/),
  );
});
