/** @check */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { tea } from "../cli/terminal";
import { startApp } from "../support/app";
import { administrate, nameInRun, query } from "../support/database";
import { serverUrl } from "../support/server-url";

const read = (name: string): string => readFileSync(path.join(__dirname, "../..", name), "utf8");

describe("the health check of the image", () => {
  const [, list = ""] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(read("Dockerfile")) ?? [];
  const [program = "", ...args] = JSON.parse(list) as string[];
  const exitCode = (port: string): Promise<unknown> =>
    new Promise((resolve) => {
      const child = execFile("env", [`PORT=${port}`, program, ...args]);
      child.once("exit", resolve);
    });

  test("starts no Node, and tells a service that lives", async () => {
    const app = await startApp();
    expect([program, await exitCode(new URL(app.url).port)]).toEqual(["bash", 0]);
    await app.close();
  });

  test.each([
    ["that refuses", "HTTP/1.1 503 Service Unavailable\r\n\r\n"],
    ["that is none", "220 mail.example.com\r\n"],
    ["that says nothing", ""],
  ])("tells a server %s from it", async (_label, answer) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().end(answer);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await exitCode(String(port))).toBe(1);
    server.close();
    await once(server, "close");
    expect(await exitCode(String(port))).toBe(1);
  });
});

describe("compose.yaml", () => {
  const compose = read("compose.yaml");

  test("publishes ports on this machine alone", () => {
    const published = [...compose.matchAll(/^ +- "(.*:\d+)"$/gm)].map(([, port]) => port);
    expect(published).toHaveLength(2);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test("has no default for a password or a secret", () => {
    const secrets = [...compose.matchAll(/\$\{([A-Z_]*(?:PASSWORD|SECRETS?)):?(.)([^}]*)\}/g)];
    expect(new Set(secrets.map(([, name]) => name))).toEqual(
      new Set([
        ...["DATABASE_PASSWORD", "JWT_SECRET", "JWT_PREVIOUS_SECRETS"],
        ...["DATA_SECRET", "DATA_PREVIOUS_SECRETS", "ADMIN_PASSWORD"],
      ]),
    );
    for (const [, , sign, text] of secrets) expect(sign === "?" || text === "").toBe(true);
  });

  test("has a dispatcher, which starts only if it is asked for, and then instead of the service", () => {
    expect(compose).toMatch(
      /profiles: \[dispatcher\]\n +command: \["node", "dist\/cli\/main.js", "dispatch"\]/,
    );
    expect(compose).toContain("      DISPATCH: ${DISPATCH:-}\n");
    expect(compose.match(/^ {6}WEBHOOK_PRIVATE_ADDRESSES: .*$/gm)).toHaveLength(2);
  });

  test("passes on every setting, but for those that its containers decide", () => {
    const services = ["migration", "service", "dispatcher"].map((name) => {
      const [, block = ""] = new RegExp(`^  ${name}:\n((?: {4}.*\n|\n)*)`, "m").exec(compose) ?? [];
      return block;
    });
    const file = /^ {4}env_file: &settings\n {6}- path: \.env\n {8}required: false$/m;
    expect(services[0]).toMatch(file);
    for (const block of services.slice(1)) expect(block).toContain("    env_file: *settings\n");
    // A name under `environment` overrides the file, so it passes on what the file says.
    const settings = [...read(".env.example").matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(settings.length).toBeGreaterThan(40);
    const decided = settings.filter((name) => {
      const lines = services.flatMap(
        (block) => block.match(new RegExp(`^ {6}${name}: .*$`, "gm")) ?? [],
      );
      return lines.some((line) => !new RegExp(`\\$\\{${name}:[-?]`).test(line));
    });
    expect(decided).toEqual(["PORT", "HOST", "DATABASE_URL", "METRICS"]);
  });

  test("builds the image with the commit that GIT_COMMIT names, as the Dockerfile takes it", () => {
    expect(read("Dockerfile")).toMatch(/^ARG GIT_COMMIT=unknown$/m);
    expect(compose).toContain("        GIT_COMMIT: ${GIT_COMMIT:-unknown}\n");
    expect(compose.match(/^ {4}build: (?:&build|\*build)$/gm)).toHaveLength(3);
  });
});

test.each(["compose.yaml", "deploy/kubernetes.yaml"])(
  "%s and the page on operating say how to create an administrator, by a command that there is",
  async (name) => {
    const [command = "", program = "", args = ""] =
      /(?:docker compose|kubectl) exec .*?node (dist\/cli\/main\.js) (admin create \S+)/.exec(
        read(name),
      ) ?? [];
    expect(read("docs/operating.md")).toContain(command);
    expect(program).toBe("dist/cli/main.js");
    const { exitCode, stderr } = await tea([...args.split(" "), "--help"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  },
);

test("the database of Compose and of Kubernetes lets no other role connect", () => {
  const revoke = /REVOKE CONNECT ON DATABASE (?:%I|tea_shop) FROM PUBLIC/;
  expect(read("deploy/compose-database.psql")).toContain("\\ir own-database.sql\n");
  for (const name of ["own-database.sql", "kubernetes.yaml"]) {
    expect(read(`deploy/${name}`)).toMatch(revoke);
  }
});

describe("the restore of docs/operating.md", () => {
  const [, section = ""] = /^### Restore\n([^]*?)^## /m.exec(read("docs/operating.md")) ?? [];
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  const [, swap = ""] = /<<'SQL'\n([^]*?)^SQL$/m.exec(section) ?? [];

  test("runs the commands of the service where the service is, and PostgreSQL's where PostgreSQL is", () => {
    const commands = blocks
      .slice(2)
      .join("")
      .replace(/<<'SQL'\n[^]*?^SQL$/gm, "");
    for (const line of commands.trimEnd().split("\n")) {
      expect(line).toMatch(/^(?:\$at (?:createdb|psql|pg_restore) |tea migrate up\b)/);
    }
    for (const preamble of blocks.slice(0, 2))
      expect(preamble).toMatch(/^at=".*"$[^]*^tea\(\) \{/m);
  });

  test("swaps the databases", async () => {
    const [old, restored] = [nameInRun(), nameInRun()];
    const named = swap
      .replace(/\btea_shop_before\b/g, `${old}_b`)
      .replace(/\btea_shop_restored\b/g, restored)
      .replace(/\btea_shop\b/g, old);
    for (const name of [old, restored]) await administrate(`CREATE DATABASE ${name}`);
    const oids = `SELECT oid FROM pg_database WHERE datname = $1`;
    const [before] = await query(serverUrl(), oids, [restored]);
    await query(serverUrl(), named);
    expect(await query(serverUrl(), oids, [old])).toEqual([before]);
    for (const name of [old, `${old}_b`]) await administrate(`DROP DATABASE ${name}`);
  });
});
