import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The results of mutants, stored in files between runs. */
export class Results {
  #kept;

  constructor(root, { fresh }) {
    this.root = root;
    this.isFresh = fresh;
    this.folder = path.join(root, ".tmp");
    this.file = path.join(this.folder, "mutants.json");
    const isKept = !fresh && existsSync(this.file);
    this.#kept = isKept ? JSON.parse(readFileSync(this.file, "utf8")) : {};
    mkdirSync(this.folder, { recursive: true });
  }

  /** What `measure` has returned, in this run or an earlier one, for the same `inputs`. */
  async keep(name, inputs, measure) {
    const key = createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
    const file = path.join(this.folder, `mutants-${name}-${key}.json`);
    if (!this.isFresh && existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    const measured = await measure();
    writeFileSync(file, JSON.stringify(measured));
    return measured;
  }

  /**
   * The stored result of a mutant, if it still holds: its file has not changed, nor has the test that killed it, nor
   * any test that it survived.
   */
  of({ name, file }, tests) {
    const kept = this.#kept[name];
    if (!kept || kept.source !== this.#hash(file)) return undefined;
    const looked = kept.killedBy ? [kept.killedBy.file] : tests;
    const holds = kept.status === "refused" || kept.tests === this.#hash(...looked);
    return holds ? kept : undefined;
  }

  set({ name, file }, tests, result) {
    const looked = result.killedBy ? [result.killedBy.file] : tests;
    this.#kept[name] = { ...result, source: this.#hash(file), tests: this.#hash(...looked) };
  }

  save() {
    writeFileSync(this.file, JSON.stringify(this.#kept, undefined, 1));
  }

  #hash(...files) {
    const hash = createHash("sha256");
    for (const file of [...files].sort()) {
      if (!existsSync(path.join(this.root, file))) return "gone";
      hash.update(file).update(readFileSync(path.join(this.root, file)));
    }
    return hash.digest("base64url").slice(0, 16);
  }
}
