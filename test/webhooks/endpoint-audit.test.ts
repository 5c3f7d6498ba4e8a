import { dumpOf } from "../support/dump";
import { leftBy } from "../record/entries";
import { useApp } from "../support/app";
import { makeEndpoint, rotateSecret } from "./endpoint";

const app = useApp();

const sealedNow = () =>
  app.sql<{ sealed: string }>(
    `SELECT sealed FROM webhook_endpoints, unnest(ARRAY[secret, previous_secret]) AS sealed
     WHERE sealed IS NOT NULL`,
  );

test("a rotation leaves an entry that names it, and no secret anywhere", async () => {
  const endpoint = await makeEndpoint(app, "https://shop.example.com/");
  const known = [endpoint.secret];
  const stored = await sealedNow();
  for (const before of [null, expect.any(String)]) {
    const { left, result } = await leftBy(app, () => rotateSecret(app, endpoint));
    known.push(result);
    stored.push(...(await sealedNow()));
    expect(left).toMatchObject([
      {
        ...{ door: "GRAPHQL", operation: "rotateWebhookSecret" },
        ...{ subject: "WEBHOOK_ENDPOINT", subjectId: endpoint.id },
        changes: [{ field: "rotatedAt", before, after: expect.any(String) }],
      },
    ]);
  }
  const { webhook_endpoints: rows = [], ...others } = await dumpOf(app);
  expect(stored).toHaveLength(5);
  for (const secret of known) expect(JSON.stringify([rows, others])).not.toContain(secret);
  for (const { sealed } of stored) expect(JSON.stringify(others)).not.toContain(sealed);
});
