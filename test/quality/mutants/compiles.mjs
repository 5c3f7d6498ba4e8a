import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Tells which mutants the compiler refuses: tests need not notice these. */
export class Compiler {
  #contents = new Map();
  #versions = new Map();

  constructor(root) {
    const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
    config.include = ["src"];
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.root = root;
    this.service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => String(this.#versions.get(file) ?? 0),
      getScriptSnapshot: (file) => {
        const content = this.#contents.get(file) ?? ts.sys.readFile(file);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      realpath: ts.sys.realpath,
    });
  }

  accepts({ file, from, to, replacement }) {
    const name = path.join(this.root, file);
    const content = readFileSync(name, "utf8");
    this.#set(name, content.slice(0, from) + replacement + content.slice(to));
    const faults = [
      ...this.service.getSyntacticDiagnostics(name),
      ...this.service.getSemanticDiagnostics(name),
    ];
    this.#set(name, content);
    return faults.length === 0;
  }

  #set(name, content) {
    this.#contents.set(name, content);
    this.#versions.set(name, (this.#versions.get(name) ?? 0) + 1);
  }
}
