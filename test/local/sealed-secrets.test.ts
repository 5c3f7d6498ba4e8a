/** @check */

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { tea, type Outcome } from "../cli/terminal";
import {
  login,
  newDataDir,
  removeDataDir,
  startLocalService,
  type LocalService,
} from "../support/local-service";

jest.setTimeout(120_000);

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => removeDataDir(dataDir));

async function stop(service: LocalService): Promise<void> {
  service.signal("SIGINT");
  expect((await service.ended).code).toBe(0);
}

async function mutate(address: string, mutation: string): Promise<void> {
  const session = (await (await login(address, dataDir)).json()) as { access_token: string };
  const answer = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${session.access_token}`,
    },
    body: JSON.stringify({ query: `mutation { ${mutation} }` }),
  });
  expect(await answer.json()).not.toHaveProperty("errors");
}

const renew = (words = ""): Promise<Outcome> =>
  tea(["secrets", "renew", ...words.split(" ").filter(Boolean)], {
    environment: { DATA_DIR: dataDir },
  });

test("npm start reads what an earlier start has encrypted, and names its file where it can't", async () => {
  const file = path.join(dataDir, "jwt-secret");
  const first = startLocalService(dataDir);
  const url = `createWebhookEndpoint(input: { url: "http://127.0.0.1:9/" })`;
  await mutate(await first.listening, `${url} { secret }`);
  await stop(first);
  expect(await renew()).toMatchObject({
    exitCode: 0,
    stdout: "Renewed 0 secrets; 1 was current\n",
  });
  const second = startLocalService(dataDir);
  await second.listening;
  await stop(second);
  const secret = await readFile(file, "utf8");
  await writeFile(file, `another-${secret}`);
  const third = startLocalService(dataDir);
  expect((await third.ended).code).toBe(1);
  expect(third.printed()).toContain(
    "The secrets of 1 row can't be decrypted: webhook endpoint 1. " +
      `They were encrypted under another secret than that in ${file}: put the right file back, or set JWT_SECRET and DATA_SECRET as they were then. ` +
      "If it is lost, run: npm run tea -- secrets renew --replace-lost\n",
  );
  expect(await renew()).toMatchObject({ exitCode: 1 });
  expect(await renew("--replace-lost")).toMatchObject({ exitCode: 0 });
  const fourth = startLocalService(dataDir);
  await fourth.listening;
  await stop(fourth);
});

test("npm start does not name its file where the secrets are set", async () => {
  const service = startLocalService(dataDir, {
    DATA_SECRET: "of this test and of nothing else",
    DATA_PREVIOUS_SECRETS: "of this test and of nothing else",
  });
  expect((await service.ended).code).toBe(1);
  expect(service.printed()).toContain("They were encrypted under another DATA_SECRET: add that");
});
