import { newDataDir, removeDataDir, startLocalService } from "../support/local-service";

jest.setTimeout(60_000);

test("lets one of two first starts at the same moment win", async () => {
  const dataDir = await newDataDir();
  const both = [startLocalService(dataDir), startLocalService(dataDir)];
  try {
    const outcomes = await Promise.allSettled(both.map(({ listening }) => listening));
    const addresses = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );

    expect(addresses).toHaveLength(1);
    expect((await fetch(`${addresses[0]!}/products`)).status).toBe(200);
  } finally {
    for (const service of both) service.signal("SIGKILL");
    await Promise.all(both.map(({ ended }) => ended));
    await removeDataDir(dataDir);
  }
});
