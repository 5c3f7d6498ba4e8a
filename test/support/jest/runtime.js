const path = require("node:path");
const { default: Runtime } = require("jest-runtime");

const SRC = path.resolve(__dirname, "../../../src") + path.sep;
const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
/** Holds no state of a test, but the validators of all answers that were met, which take long to compile. */
const OPENAPI = path.resolve(__dirname, "../openapi");

/** Loads what test files share, for as long as they share their environment (see environment.js). */
let kept;

/**
 * Jest's runtime, which loads modules for one test file, but for src, packages and the validators of the
 * OpenAPI document: a worker process loads these once and keeps them, as they take longer to load than most
 * files to run. Tests and their other support are still loaded for each file, as their hooks belong to it.
 * So a test can spy on the shop's modules, but can't put a mock in the place of one that another module of
 * src imports.
 */
class SharingRuntime extends Runtime {
  constructor(config, environment, ...others) {
    super(config, environment, ...others);
    if (kept?.environment !== environment) {
      kept = { environment, runtime: new Runtime(config, environment, ...others) };
    }
    const [own, shared] = [super.getSourceMaps(), kept.runtime.getSourceMaps()];
    this.sourceMaps = {
      get: (file) => own.get(file) ?? shared.get(file),
      *[Symbol.iterator]() {
        yield* own;
        yield* shared;
      },
    };
  }

  requireModule(from, name, options, isActual) {
    return isShared(from, name) && !options?.isInternalModule
      ? kept.runtime.requireModule(from, name, options, isActual)
      : super.requireModule(from, name, options, isActual);
  }

  /** With those of the modules that are shared, so that every file's stack traces name their lines. */
  getSourceMaps() {
    return this.sourceMaps;
  }
}

/** Whether what `from` asks for by this name, or `from` itself without one, is kept. */
function isShared(from, name) {
  const isPackage = name !== undefined && !path.isAbsolute(name) && !name.startsWith(".");
  const file = name === undefined ? from : path.resolve(path.dirname(from), name);
  const isOpenapi = file === OPENAPI || file === `${OPENAPI}.ts`;
  return isPackage || isOpenapi || file.startsWith(SRC) || file.includes(NODE_MODULES);
}

module.exports = { default: SharingRuntime, __esModule: true };
