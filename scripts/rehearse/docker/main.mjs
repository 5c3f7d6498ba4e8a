// Carries out the Dockerfile's own steps in an empty folder, where no container engine is needed, and runs
// the commands of compose.yaml on what they made, against an embedded PostgreSQL.
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { Postgres } from "../../../bench/support/postgres.mjs";
import { part } from "../support/part.mjs";
import { program, ROOT } from "../support/program.mjs";
import { doing, seen, since } from "../support/say.mjs";
import { weigh } from "../support/weight.mjs";
import { copyContext } from "./context.mjs";
import { stagesOf } from "./dockerfile.mjs";
import { Image } from "./image.mjs";
import { tryService } from "./try-service.mjs";

const MOST_PACKAGES = 245;
const MOST_BYTES = 75_000_000;

await part(async ({ folder, cleanup }) => {
  const dockerfile = await readFile(path.join(ROOT, "Dockerfile"), "utf8");
  const remarks = validate(dockerfile).map(({ message }) => message);
  seen(`remarks of the linter: ${remarks.join("; ") || "none"}`, remarks.length === 0);

  const { image, images } = await build(dockerfile, folder);
  const count = await weighPackages(image);
  await listPackages(images.packages, count);
  const postgres = await Postgres.start(cleanup);
  await postgres.sql(postgres.url("postgres"), "CREATE DATABASE tea_shop TEMPLATE template0");
  const compose = parse(await readFile(path.join(ROOT, "compose.yaml"), "utf8"), { merge: true });
  await tryService(image, compose.services, postgres.url("tea_shop"), cleanup);
});

/** All images by the names of their stages, and that of the last one. */
async function build(dockerfile, folder) {
  const context = path.join(folder, "context");
  const names = await copyContext(context);
  seen(`files of the context: ${names.length}`);
  const images = {};
  let image;
  for (const stage of stagesOf(dockerfile)) {
    const started = performance.now();
    const place = path.join(folder, stage.name);
    await mkdir(place);
    image = images[stage.name] = new Image(place, context, images, stage.image);
    for (const step of stage.steps) await image.perform(step);
    seen(`stage ${stage.name} (${stage.image}) in ${since(started)}`);
  }
  return { image, images };
}

async function weighPackages(image) {
  doing("npm ls --omit=dev --all --parseable");
  const list = await image.run("npm", ["ls", "--omit=dev", "--all", "--parseable"]).catch(() => "");
  // The first line is the service itself.
  const count = list.split("\n").filter((line) => path.isAbsolute(line)).length - 1;
  seen(
    `production packages: ${count}, at most ${MOST_PACKAGES}`,
    count > 0 && count <= MOST_PACKAGES,
  );
  const { bytes, files } = await weigh(path.join(image.workdir, "node_modules"));
  const disk = (await program("du", ["-sm", path.join(image.workdir, "node_modules")])).split(
    "\t",
  )[0];
  const text = `${(bytes / 1e6).toFixed(1)} MB in ${files} files (${disk} MiB of this disk's blocks)`;
  seen(`node_modules: ${text}, at most ${MOST_BYTES / 1e6} MB`, bytes <= MOST_BYTES);
  const app = await weigh(path.join(image.workdir, "dist"));
  seen(`dist: ${(app.bytes / 1e6).toFixed(1)} MB in ${app.files} files`);
  return count;
}

/** The software bill of materials, as docs/operating.md makes it. */
async function listPackages(image, count) {
  await image.run("npm", ["pkg", "delete", "devDependencies"]);
  const output = await image.run("npm", ["sbom", "--sbom-format=cyclonedx", "--silent"]);
  const { components } = JSON.parse(output.slice(output.indexOf("{")));
  // A version that is installed twice is listed once.
  seen(`npm sbom lists ${components.length} packages`, components.length > 0.95 * count);
}
