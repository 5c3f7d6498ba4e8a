const path = require("node:path");
const { compileFunction } = require("node:vm");
const { default: JestRuntime } = require("jest-runtime");

const SRC = path.resolve(__dirname, "../../../src") + path.sep;
const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
/** This module may be shared: it has no state of a test, only validators of answers, which take long to compile. */
const OPENAPI = path.resolve(__dirname, "../openapi");

/** Jest's runtime, for modules that have Node's own globals (see environment.js). */
class Runtime extends JestRuntime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }
}

/** The runtime that loads the shared modules, as long as test files share their environment (see environment.js). */
let kept;

/**
 * Jest's runtime loads all modules anew for each test file. This one shares src, packages and the validators of the
 * OpenAPI document: a worker process loads these once, because loading them takes longer than most files run. Tests
 * and their other support are still loaded for each file, because their hooks belong to it. So a test can spy on the
 * shop's modules, but can't replace a module that another module of src imports by a mock.
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

  /** Shares what the framework itself requires; its first module registers its state for each file. */
  requireInternalModule(from, name) {
    return name === undefined
      ? super.requireInternalModule(from)
      : kept.runtime.requireInternalModule(from, name);
  }

  /** Includes the source maps of shared modules, so that stack traces in every test file have the right lines. */
  getSourceMaps() {
    return this.sourceMaps;
  }
}

/** Whether the module that `from` requires by this name is shared; without a name, whether `from` itself is. */
function isShared(from, name) {
  const isPackage = name !== undefined && !path.isAbsolute(name) && !name.startsWith(".");
  const file = name === undefined ? from : path.resolve(path.dirname(from), name);
  const isOpenapi = file === OPENAPI || file === `${OPENAPI}.ts`;
  return isPackage || isOpenapi || file.startsWith(SRC) || file.includes(NODE_MODULES);
}

module.exports = { default: SharingRuntime, __esModule: true };
