/** @check */

import { userInfo } from "node:os";
import { graphqlClause } from "../support/clause";
import { createDatabase, query } from "../support/database";
import { PASSWORD } from "../support/factories";
import { startService } from "../support/service";

graphqlClause("10.audit.command", "an administrator made by a start is its own", async () => {
  const database = await createDatabase();
  const service = await startService(database.url, {
    ...{ ADMIN_EMAIL: "first@example.com", ADMIN_PASSWORD: PASSWORD, BCRYPT_COST: "4" },
  });
  service.signal("SIGTERM");
  await service.ended;
  const entries = await query(
    database.url,
    `SELECT actor, door, operation, subject, address, request_id
       FROM audit_entries JOIN admins ON admins.id = subject_id`,
  );
  expect(entries).toEqual([
    {
      ...{ actor: userInfo().username, door: "COMMAND_LINE", operation: "start" },
      ...{ subject: "ADMINISTRATOR", address: null, request_id: null },
    },
  ]);
  await database.drop();
});
