import type { LookupAddress } from "node:dns";
import { graphqlClauseEach } from "../support/clause";
import { createServer } from "node:net";
import { guardedConnector } from "../../src/webhooks/guarded-connector";
import { eventually } from "../support/eventually";
import { closeReceivers, listening, newSender, startReceiver } from "./receiver";

type Lookup = Parameters<typeof guardedConnector>[0]["lookup"];
type PrivateAddresses = Parameters<typeof newSender>[1];

afterEach(closeReceivers);

const message = { headers: {}, body: "{}" };

/** A look-up that finds these addresses, the next ones each time. */
function finding(...times: string[][]): Lookup {
  const found = times.map((addresses) =>
    addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
  );
  return () => Promise.resolve((found.length > 1 ? found.shift() : found[0]) ?? []);
}

/** Every way to write an address of this machine, or one that leads to it, as the host of a URL. */
const localHosts = [
  ...["127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "0x7f000001", "017700000001"],
  ...["0x7f.1", "0177.0.0.1", "0177.1", "0x7f.0x0.0x0.0x1", "127.0.0.001", "%31%32%37.0.0.1"],
  ...["①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "user:secret@127.0.0.1"],
  ...["0.0.0.0", "0", "0x0", "127.8.8.8"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[0:0:0:0:0:ffff:7f00:1]", "[::ffff:0.0.0.0]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]"],
  ...["localhost", "localhost.", "LOCALHOST", "ｌocalhost"],
];

graphqlClauseEach(
  "10.webhooks.addresses",
  "an address of this machine is refused, however it is written, and nothing connects",
  Object.fromEntries(localHosts.map((host) => [host, host])),
  async (host) => {
    const receiver = await startReceiver();
    const sender = newSender({}, "off");
    for (const protocol of ["http", "https"]) {
      const url = `${protocol}://${host}:${receiver.port}/`;
      const answer = await sender.send({ ...message, url });
      expect(answer).toMatchObject({ status: null, answer: "" });
      // Not every resolver knows the name with a dot.
      expect(answer!.fault).toMatch(/is not public$|^name not found$/);
      if (host !== "localhost.") expect(answer!.fault).not.toBe("name not found");
    }
    await receiver.counted();
    expect(receiver.sockets).toHaveLength(0);
  },
);

test.each<[host: string, found: string[], address: string]>([
  ["127.0.0.1", [], "127.0.0.1"],
  ["[::1]", [], "::1"],
  ["169.254.169.254", [], "169.254.169.254"],
  ["receiver.example", ["127.0.0.1"], "127.0.0.1 of the name receiver.example"],
  ["receiver.example", ["::ffff:127.0.0.1"], "::ffff:127.0.0.1 of the name receiver.example"],
  ["receiver.example", ["10.0.0.1", "127.0.0.1"], "10.0.0.1 of the name receiver.example"],
])("the refusal of %s, found at %p, says why", async (host, found, address) => {
  const receiver = await startReceiver();
  const url = `http://${host}:${receiver.port}/`;
  expect(await newSender({ lookup: finding(found) }, "off").send({ ...message, url })).toEqual({
    ...{ status: null, answer: "", retryAfter: null },
    fault: `the address ${address} is not public`,
  });
  await receiver.counted();
  expect(receiver.sockets).toHaveLength(0);
});

test("a name is judged by its present address, for each connection", async () => {
  const receiver = await startReceiver((response) =>
    response.writeHead(200, { connection: "close" }).end(),
  );
  const sender = newSender({ lookup: finding(["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]) });
  const url = `http://receiver.example:${receiver.port}/`;
  expect(await sender.send({ ...message, url })).toMatchObject({ status: 200, fault: null });
  expect(await sender.send({ ...message, url })).toMatchObject({
    status: null,
    fault: "the address 10.0.0.1 of the name receiver.example is not public",
  });
  expect(await sender.send({ ...message, url })).toMatchObject({ status: 200, fault: null });
  expect(receiver.requests).toHaveLength(2);
});

test.each([
  ["http://10.0.0.1/", "10.0.0.1"],
  ["http://0.0.0.0/", "0.0.0.0"],
  ["http://169.254.169.254/latest/meta-data/", "169.254.169.254"],
  ["http://[fd00:ec2::254]/", "fd00:ec2::254"],
  ["http://[::ffff:10.0.0.1]/", "::ffff:a00:1"],
])("where loopback is allowed, %s is not", async (url, address) => {
  expect(await newSender().send({ ...message, url })).toMatchObject({
    status: null,
    fault: `the address ${address} is not public`,
  });
});

test.each<[PrivateAddresses, string]>([
  ["loopback", "127.0.0.1"],
  ["loopback", "localhost"],
  ["loopback", "[::ffff:127.0.0.1]"],
  ["on", "127.0.0.1"],
  ["on", "0.0.0.0"],
  ["on", "localhost"],
])("where private addresses are %s, %s is reached", async (privateAddresses, host) => {
  const { port } = await startReceiver();
  const url = `http://${host}:${port}/`;
  expect(await newSender({}, privateAddresses).send({ ...message, url })).toMatchObject({
    status: 200,
    fault: null,
  });
});

describe("the connector", () => {
  const connected = (isAllowed: (address: string) => boolean, port: number, found: string[]) => {
    const connect = guardedConnector({
      isAllowed,
      lookup: finding(found),
      timeout: 50,
      signal: new AbortController().signal,
    });
    const host = "receiver.example";
    const to = { hostname: host, host, protocol: "http:", port: `${port}` };
    return new Promise<string | undefined>((resolve) =>
      connect(to, (...[error]) => resolve(error?.message)),
    );
  };

  test("tries only those addresses of a name that are allowed", async () => {
    const receiver = await startReceiver();
    // An address of documents, which leads nowhere.
    const nowhere = "192.0.2.1";
    const fault = await connected((address) => address === nowhere, receiver.port, [
      "127.0.0.1",
      nowhere,
    ]);
    expect(fault).toBeDefined();
    await receiver.counted();
    expect(receiver.sockets).toHaveLength(0);
  });

  test("closes a connection whose address is not allowed in the end", async () => {
    const came: string[] = [];
    const server = await listening(
      createServer((socket) => socket.on("data", (data) => came.push(String(data)))),
    );
    let judgements = 0;
    const isAllowed = (): boolean => (judgements += 1) === 1;
    expect(await connected(isAllowed, server.port, ["127.0.0.1"])).toBe(
      "the address 127.0.0.1 of the name receiver.example is not public",
    );
    await eventually(() => server.sockets[0]?.destroyed);
    expect(came).toEqual([]);
  });

  test("says that a name without addresses has none", async () => {
    expect(await connected(() => true, 1, [])).toBe("no address");
  });
});
