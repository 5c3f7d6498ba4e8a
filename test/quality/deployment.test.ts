import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { startApp } from "../support/app";

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

  test("passes on what depends on the proxies and pages in front, and what rotates secrets", () => {
    const former = ["JWT_PREVIOUS_SECRETS", "DATA_SECRET", "DATA_PREVIOUS_SECRETS"];
    for (const name of ["CORS_ORIGINS", "TRUST_PROXY", "KEEP_ALIVE_TIMEOUT", ...former]) {
      expect(compose).toContain(`      ${name}: \${${name}:-}\n`);
    }
  });
});
