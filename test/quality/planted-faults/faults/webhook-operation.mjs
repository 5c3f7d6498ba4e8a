const page = { tests: ["test/browser/explorer-webhooks.test.ts"], built: true };
const process = { tests: ["test/webhooks/dispatch-process.test.ts"], built: true };
const renewal = {
  file: "src/services/secrets/stored-secrets.ts",
  tests: ["test/cli/secrets.test.ts"],
};

export const webhookOperation = [
  {
    name: "a service with DISPATCH=off sends webhooks",
    file: "src/main.ts",
    find: "if (settings.webhooks.dispatch) shop.startDispatching();",
    replace: "shop.startDispatching();",
    ...process,
  },
  {
    name: "a service begins to drain its webhooks only after its requests, and cuts them off",
    file: "src/app.ts",
    find: "      await dispatching?.drain();\n",
    replace: "",
    ...process,
  },
  {
    name: "a dispatcher closes its pool before it has drained",
    file: "src/cli/dispatch.ts",
    find: "await dispatching.drain();",
    replace: "await Promise.race([dispatching.drain(), Promise.resolve()]);",
    ...process,
  },
  {
    name: "a drain waits for receivers until they time out",
    file: "src/webhooks/dispatcher.ts",
    find: "const DRAIN = 5_000;",
    replace: "const DRAIN = 16_000;",
    ...process,
  },
  {
    name: "what a drain has given up is left to its lease",
    file: "src/webhooks/dispatcher.ts",
    find: "this.returned.push(item.id);",
    replace: "this.returned = [...this.returned];",
    ...process,
  },
  {
    name: "a drain goes on claiming",
    file: "src/webhooks/dispatcher.ts",
    find: `this.closing
          ? NOTHING
          : await this.queue.claim(this.counts());
        if (this.closing)`,
    replace: `this.over
          ? NOTHING
          : await this.queue.claim(this.counts());
        if (this.over)`,
    ...process,
  },
  {
    name: "a dispatcher ends where nothing but its timers is left, as while its database is away",
    file: "src/cli/dispatch.ts",
    find: "setInterval(() => undefined, SOME_TIME)",
    replace: "setInterval(() => undefined, SOME_TIME).unref()",
    tests: ["test/reliability/dispatcher-database.test.ts"],
    built: true,
  },
  {
    name: "a production process starts on secrets that no key opens",
    file: "src/wiring/production.ts",
    find: "await assertSecretsOpen(url",
    replace: "if (settings.workers > 1) await assertSecretsOpen(url",
    ...process,
  },
  {
    name: "npm start names its file, whatever the settings",
    file: "src/local/main.ts",
    find: "tokens.secret === undefined && data.secret === undefined",
    replace: 'tokens.secret === undefined && data.secret !== ""',
    tests: ["test/local/sealed-secrets.test.ts"],
    built: true,
  },
  {
    name: "a renewal forgets the secrets before rotations",
    file: "src/services/secrets/sealed-tables.ts",
    find: "columns: { secret: newSecret, previous_secret: () => null }",
    replace: "columns: { secret: newSecret }",
    tests: ["test/cli/secrets.test.ts"],
  },
  {
    name: "a renewal does not lock what it reads",
    find: 'secrets, "FOR NO KEY UPDATE")',
    replace: "secrets)",
    ...renewal,
  },
  {
    name: "a renewal seals again what is current",
    find: "} else if (secrets.isPresent(sealed)) {",
    replace: '} else if (secrets.isPresent(sealed) && column === "") {',
    ...renewal,
  },
  {
    name: "a renewal replaces what it can't open, asked or not",
    find: "if (replacesLost) values.set(column,",
    replace: "values.set(column,",
    ...renewal,
  },
  {
    name: "the audit log is not told of a replaced secret",
    find: "if (replacesLost) values.set(table.replacedAt, new Date());",
    replace: "if (replacesLost) values.delete(table.replacedAt);",
    ...renewal,
  },
  {
    name: "a command that found lost secrets succeeds",
    file: "src/cli/secrets-command.ts",
    find: "if (!replacesLost) throw secretsLost(",
    replace: "if (!replacesLost) void secretsLost(",
    tests: ["test/cli/secrets.test.ts"],
  },
  {
    name: "a command makes up the secret of the service",
    file: "src/cli/secrets-command.ts",
    find: "if (secret !== undefined) return completeSettings(settings, { databaseUrl, secret }).data;",
    replace: `const known = secret ?? "made up, of 32 characters or more";
  if (known !== "") return completeSettings(settings, { databaseUrl, secret: known }).data;`,
    tests: ["test/cli/secrets.test.ts"],
  },
  {
    name: "a secret that is lost signs beside the one of a rotation",
    file: "src/services/events/endpoints.ts",
    find: "=== undefined ? null : present;",
    replace: '=== "" ? null : present;',
    tests: ["test/cli/secrets.test.ts"],
  },
  {
    name: "a rotation leaves no entry in the audit log",
    file: "migrations/031-send-webhooks.up.sql",
    find: "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT\n  EXECUTE FUNCTION record_changes('WEBHOOK_ENDPOINT', 'id',",
    replace:
      "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT\n  EXECUTE FUNCTION record_changes('WEBHOOK_ENDPOINT', 'id', 'rotated_at',",
    tests: ["test/webhooks/endpoint-audit.test.ts"],
  },
  {
    name: "the audit log shows sealed secrets of a rotation",
    file: "migrations/031-send-webhooks.up.sql",
    find: "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT\n  EXECUTE FUNCTION record_changes('WEBHOOK_ENDPOINT', 'id', 'version', 'secret', 'previous_secret',",
    replace:
      "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT\n  EXECUTE FUNCTION record_changes('WEBHOOK_ENDPOINT', 'id', 'version', 'secret',",
    tests: ["test/webhooks/endpoint-audit.test.ts"],
  },
  {
    name: "the explorer's test event marks another endpoint",
    file: "src/explorer/client/operations/webhooks.ts",
    find: "sendTestEvent(endpointId: $id) { state }",
    replace: "sendTestEvent(endpointId: 1) { state }",
    ...page,
  },
  {
    name: "the explorer doesn't say that a secret is shown only now",
    file: "src/explorer/client/operations/webhooks.ts",
    find: "is created. Copy its secret from the answer: it is shown only now",
    replace: "is created",
    ...page,
  },
  {
    name: "the explorer shows no answers of attempts",
    file: "src/explorer/client/answers/delivery-tries.ts",
    find: "answer && `“${show(answer)}”`",
    replace: "show(answer) && undefined",
    tests: ["test/explorer/cells.test.ts"],
  },
  {
    name: "attempts are told as numbers of items",
    file: "src/explorer/client/answers/columns.ts",
    find: ', DeliveryTry: "tries" };',
    replace: " };",
    ...page,
  },
  {
    name: "a conflict about an endpoint shows nothing",
    file: "src/explorer/client/operations/reads.ts",
    find: "  webhookEndpoint(id: $id) ${ENDPOINT}",
    replace: "  webhookEndpoint(id: $id) { id } # ${ENDPOINT}",
    ...page,
  },
  {
    name: "numbers of the database are added up over workers",
    file: "src/observability/metrics/prometheus-meter.ts",
    find: '...{ aggregator: "max", ...(collect && { collect }) },',
    replace: "...(collect && { collect }),",
    tests: ["test/operations/metrics-server.test.ts"],
    built: true,
  },
];
