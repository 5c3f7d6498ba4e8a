/** @check */

import { readdir, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { builtRelease } from "../support/built-release";
import {
  newDataDir,
  removeDataDir,
  startLocalService,
  type LocalService,
} from "../support/local-service";
import { isRequestLine, parsedLog } from "../support/log-lines";

jest.setTimeout(60_000);

const TERMINAL = {
  NODE_OPTIONS: `--require ${path.join(__dirname, "../support/as-terminal.cjs")}`,
};

async function end(service: LocalService): Promise<void> {
  service.signal("SIGTERM");
  expect((await service.ended).code).toBe(0);
}

test("a person is told what is done, and each request in a readable line; a program gets JSON", async () => {
  const dataDir = await newDataDir();
  const { version, commit } = builtRelease();
  try {
    const shown = startLocalService(dataDir, TERMINAL);
    await fetch(`${await shown.listening}/products`);
    const [line] = await shown.prints(/^.*GET \/products 200 in \d+ ms.*$/m);
    await end(shown);
    expect(shown.printed("stdout")).toMatch(
      new RegExp(
        `Creating the database in ${dataDir} …[^]*Filling it with the demo catalogue …[^]*` +
          `The tea shop ${version} \\(${commit}\\) is open: ready in \\d+\\.\\d s`,
      ),
    );
    expect(line![0]).toContain('"operation":"products"');
    expect(shown.printed()).not.toContain('"level"');
    const piped = startLocalService(dataDir);
    await fetch(`${await piped.listening}/products`);
    await piped.prints(/"msg":"answered"/);
    await end(piped);
    const lines = parsedLog(piped.printed("stdout").trim().split("\n"));
    expect(lines[0]).toMatchObject({
      level: "info",
      msg: "starting",
      version,
      commit,
    });
    expect(lines.filter(isRequestLine)).toHaveLength(1);
    expect(piped.printed("stderr")).not.toContain("Starting the database");
    expect(piped.printed("stderr")).toContain("is open: ready in");
  } finally {
    await removeDataDir(dataDir);
  }
});

test.each([
  ["a port", "PORT", /^PORT \d+ is already in use: stop the program/],
  ["an address of metrics", "METRICS", /^METRICS \d+ is already in use: stop the program/],
])("%s that is taken is found before a database is created", async (_, setting, fault) => {
  const dataDir = await newDataDir();
  const occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, resolve));
  const { port } = occupant.address() as AddressInfo;
  const service = startLocalService(dataDir, { [setting]: String(port) });
  expect((await service.ended).code).toBe(1);
  expect(service.printed()).toMatch(fault);
  expect(service.printed()).toContain(` ${port} `);
  expect(await readdir(dataDir)).toEqual([]);
  occupant.close();
  await rm(dataDir, { recursive: true });
});
