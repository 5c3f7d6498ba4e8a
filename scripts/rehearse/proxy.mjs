// Follows "Proxies" of docs/operating.md: orders through nginx, with the file of deploy/ and the default
// KEEP_ALIVE_TIMEOUT, after pauses around every limit of either side.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { newOrder, orderableProducts } from "../../bench/support/orders.mjs";
import { Postgres } from "../../bench/support/postgres.mjs";
import { until } from "../../bench/support/processes.mjs";
import { freePort } from "../../bench/support/service.mjs";
import { tally } from "../../bench/support/statistics.mjs";
import { part } from "./support/part.mjs";
import { program, ROOT } from "./support/program.mjs";
import { doing, seen } from "./support/say.mjs";
import { Release } from "./support/service.mjs";

/** Seconds around the limits for a request (10), for an answer (13), of nginx (60) and of the service (75). */
const PAUSES = [9.9, 10.1, 13, 59.9, 60, 60.1, 73, 75, 75.1];
const ORDERS = 504;
/** As many connections as the file lets nginx keep would mix up the pauses. */
const AT_ONCE = 28;

await part(async ({ folder, cleanup }) => {
  if (!(await isInstalled())) {
    seen("nginx is not installed: apt-get install nginx-light", false);
    return;
  }
  const postgres = await Postgres.start(cleanup);
  const databaseUrl = await postgres.createDatabase();
  const products = await orderableProducts(postgres, databaseUrl);
  const service = await Release.start({ databaseUrl, settings: { TRUST_PROXY: "1" } }, cleanup);
  await makeCertificate(folder);

  const rounds = ORDERS / AT_ONCE / PAUSES.length;
  doing(
    `${ORDERS} orders, ${AT_ONCE} at a time, ${rounds} times for each of ${PAUSES.length} pauses`,
  );
  const outcomes = await Promise.all(
    PAUSES.map(async (pause) => {
      const port = await startNginx(path.join(folder, String(pause)), folder, service.url, cleanup);
      const place = () => placeOrder(port, newOrder(products));
      // Opens the connections that the first round finds.
      await Promise.all(Array.from({ length: AT_ONCE }, place));
      const statuses = [];
      for (let round = 0; round < rounds; round += 1) {
        await setTimeout(pause * 1000);
        statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, place))));
      }
      return statuses;
    }),
  );
  const statuses = outcomes.flat();
  const isWhole = statuses.length === ORDERS && statuses.every((status) => status === 201);
  seen(`orders through nginx after pauses of ${PAUSES.join(", ")} s: ${tally(statuses)}`, isWhole);
});

function isInstalled() {
  return program("nginx", ["-v"]).then(
    () => true,
    () => false,
  );
}

function makeCertificate(folder) {
  const [key, certificate] = [path.join(folder, "tea-shop.key"), path.join(folder, "tea-shop.crt")];
  const request = [
    "req",
    "-x509",
    "-nodes",
    "-newkey",
    "rsa:2048",
    "-subj",
    "/CN=shop.example.com",
  ];
  return program("openssl", [...request, "-keyout", key, "-out", certificate]);
}

/** Starts nginx with the file of deploy/, which only gets other ports and paths; resolves with its port. */
async function startNginx(prefix, certificates, serviceUrl, cleanup) {
  const [plain, secure] = [await freePort(), await freePort()];
  const changes = {
    "127.0.0.1:3000": new URL(serviceUrl).host,
    "listen 80;": `listen 127.0.0.1:${plain};`,
    "listen 443 ssl;": `listen 127.0.0.1:${secure} ssl;`,
    "/etc/nginx/tea-shop.crt": path.join(certificates, "tea-shop.crt"),
    "/etc/nginx/tea-shop.key": path.join(certificates, "tea-shop.key"),
  };
  let text = await readFile(path.join(ROOT, "deploy/nginx.conf"), "utf8");
  for (const [found, replacement] of Object.entries(changes)) {
    if (!text.includes(found)) throw new Error(`deploy/nginx.conf has no ${found}`);
    text = text.replace(found, replacement);
  }
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${prefix}.${name};`,
  );
  const file = `${prefix}.conf`;
  await writeFile(
    file,
    `daemon off; pid ${prefix}.pid; error_log stderr; events {} http { access_log off; ${folders.join(" ")}\n${text}}`,
  );
  const child = spawn("nginx", ["-e", "stderr", "-c", file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  cleanup.add(() => child.kill("SIGTERM"));
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return (await send(secure, { path: "/health/live" })) === 200;
  };
  await until(isUp, 10_000, "nginx");
  return secure;
}

function placeOrder(port, { key, json }) {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return send(port, { method: "POST", path: "/orders", headers }, JSON.stringify(json));
}

/** Resolves with the status, or the error's code. */
function send(port, options, body) {
  // A connection of its own to nginx: only those from nginx to the service are kept.
  const address = { host: "127.0.0.1", port, agent: false, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const outgoing = request({ ...address, ...options }, (incoming) =>
      incoming.resume().once("end", () => resolve(incoming.statusCode)),
    );
    outgoing
      .on("error", (/** @type {NodeJS.ErrnoException} */ { code }) => resolve(code))
      .end(body);
  });
}
