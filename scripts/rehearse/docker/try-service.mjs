import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { until } from "../../../bench/support/processes.mjs";
import { freePort } from "../../../bench/support/service.mjs";
import { seen, since } from "../support/say.mjs";

/** The user `node` of Node's images, as whom a container runs; this process's own if it may not choose. */
const USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
const END_WITHIN = 10_000;

/** Runs the migration and the service of compose.yaml as an image has them, and looks at both. */
export async function tryService(image, { migration, service }, databaseUrl, cleanup) {
  const port = await freePort();
  const env = {
    ...settingsOf(service),
    DATABASE_URL: databaseUrl,
    JWT_SECRET: randomBytes(32).toString("hex"),
    PORT: String(port),
    METRICS: `127.0.0.1:${await freePort()}`,
  };
  const start = (command, options = {}) => {
    const { cwd, env: given } = image.optionsToSpawn(env);
    return spawn(command[0], command.slice(1), { cwd, env: given, ...USER, ...options });
  };
  if (image.user !== "node") seen(`the image runs as ${image.user ?? "root"}`, false);

  const migrated = await outcome(start(migration.command));
  seen(`${migration.command.join(" ")}: exit ${migrated.code}`, migrated.code === 0);
  if (migrated.code !== 0) throw new Error(migrated.output);

  const started = performance.now();
  const child = start(image.command, { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.resume();
  cleanup.add(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until(isReady, 30_000, "The service's readiness");
  seen(
    `${image.command.join(" ")} is ready after ${since(started)}, as another user than its files' owner`,
  );

  await look(url);
  const healthy = await outcome(start(image.healthCheck));
  seen(`the health check of a service that lives: exit ${healthy.code}`, healthy.code === 0);
  const asked = performance.now();
  child.kill("SIGTERM");
  const [code] = await ended;
  const inTime = performance.now() - asked < END_WITHIN;
  seen(`SIGTERM: exit ${code} after ${since(asked)}`, code === 0 && inTime);
  const gone = await outcome(start(image.healthCheck));
  seen(`the health check of one that has ended: exit ${gone.code}`, gone.code === 1);
}

/** A service's settings in compose.yaml where no variable is set: `${NAME:-default}` is the default. */
function settingsOf({ environment }) {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{[A-Z_]+(?::-([^}]*))?[^}]*\}/g, (_all, fallback = "") => fallback),
  ]);
  return Object.fromEntries(entries);
}

async function look(url) {
  for (const path of ["/products", "/explorer", "/health/live"]) {
    const { status } = await fetch(url + path);
    seen(`GET ${path}: ${status}`, status === 200);
  }
  const script = await fetch(`${url}/explorer/assets/graphiql.min.js`, {
    headers: { "Accept-Encoding": "br" },
  });
  const encoding = script.headers.get("Content-Encoding");
  const length = script.headers.get("Content-Length");
  seen(`the explorer's largest script: ${encoding}, ${length} bytes`, encoding === "br");
}

async function outcome(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  return { code, output };
}
