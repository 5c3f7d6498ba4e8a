import path from "node:path";

/** A file of an npm package that is ready for the browser. */
export interface PrebuiltFile {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
}

/** GraphiQL and its dependencies. Throws if one of the packages is not installed. */
export const prebuiltFiles = (): PrebuiltFile[] => [
  fileOf(require.resolve("react/package.json"), "umd/react.production.min.js"),
  fileOf(require.resolve("react-dom/package.json"), "umd/react-dom.production.min.js"),
  fileOf(require.resolve("graphiql/package.json"), "graphiql.min.js"),
  fileOf(require.resolve("graphiql/package.json"), "graphiql.min.css"),
];

/** The packages do not export their files for browsers, so the path is built from that of `package.json`. */
const fileOf = (manifest: string, name: string): PrebuiltFile => ({
  name: path.basename(name),
  file: path.join(path.dirname(manifest), name),
});
