import path from "node:path";
import { writeAsset } from "./assets.mjs";
import { hash, read } from "./files.mjs";

/** Packages that the page loads as scripts of their own, each with where its exports then are. */
const GLOBALS = {
  react: "React",
  "react-dom": "ReactDOM",
  "react-dom/client": "ReactDOM",
  graphiql: "{ GraphiQL }",
  "@graphiql/react": "GraphiQL.React",
  graphql: "GraphiQL.GraphQL",
};

/** Where the explorer's client is, and the asset that it becomes. */
const CLIENT = path.join("explorer", "client", path.sep);
const ENTRY = path.join(CLIENT, "main.ts");
const TARGET = path.join("explorer", "static", "assets", "explorer.js");

export const isClient = (name) => name.startsWith(CLIENT);

/**
 * Bundles the explorer's client unless that has been done, and returns the names of what it becomes.
 *
 * @param names the files of the client, below `src`
 */
export async function bundleClient(output, src, names, conditions) {
  if (names.length === 0) return [];
  const files = names.sort().flatMap((name) => [name, read(src, name)]);
  const source = hash(...conditions, ...files);
  const stamp = `//# source=${source}\n`;
  const built = output.read(TARGET);
  if (built?.toString().endsWith(stamp)) return writeAsset(output, TARGET, built);

  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [path.join(src, ENTRY)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    jsx: "transform",
    plugins: [globals],
  });
  return writeAsset(output, TARGET, Buffer.from(outputFiles[0].text + stamp));
}

/** Lets modules import what the page has loaded already. */
const globals = {
  name: "globals",
  setup({ onResolve, onLoad }) {
    const namespace = "global";
    onResolve({ filter: /^[@a-z]/ }, ({ path: name }) =>
      name in GLOBALS ? { path: name, namespace } : undefined,
    );
    onLoad({ filter: /^/, namespace }, ({ path: name }) => ({
      contents: `module.exports = ${GLOBALS[name]};`,
    }));
  },
};
