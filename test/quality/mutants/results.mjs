import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The results of mutants or planted faults (`kind`), stored in files between runs. */
export class Results {
  #kept;
  /** Files as they were when they were first asked for: a run goes on with those, whatever is edited meanwhile. */
  #contents = new Map();

  constructor(root, kind, { fresh }) {
    this.root = root;
    this.isFresh = fresh;
    this.folder = path.join(root, ".tmp");
    this.file = path.join(this.folder, `${kind}.json`);
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
    const [source, all] = [this.#hash(file), this.#hash(...tests)];
    const kept = this.#kept[name];
    if (!kept || kept.source !== source) return undefined;
    const looked = kept.killedBy ? this.#hash(kept.killedBy.file) : all;
    return kept.status === "refused" || kept.tests === looked ? kept : undefined;
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
      const content = this.#read(file);
      if (!content) return "gone";
      hash.update(file).update(content);
    }
    return hash.digest("base64url").slice(0, 16);
  }

  #read(file) {
    const place = path.join(this.root, file);
    if (!this.#contents.has(file))
      this.#contents.set(file, existsSync(place) ? readFileSync(place) : undefined);
    return this.#contents.get(file);
  }
}
