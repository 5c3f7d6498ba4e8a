/** Keywords that say nothing about values. */
export const ANNOTATIONS = new Set(["title", "description", "example", "examples", "deprecated"]);

/** A part of a JSON document with its pointer. References are followed, so no part is one. */
export class Part {
  #beside;

  /**
   * @param {any} document
   * @param {any} [value]
   * @param {string} [pointer]
   * @param {Part} [beside] the part whose keywords count for this one as well
   */
  constructor(document, value = document, pointer = "#", beside = undefined) {
    this.document = document;
    /** @type {any} */
    this.value = value;
    this.pointer = pointer;
    this.id = pointer;
    if (beside === undefined) return;
    this.#beside = beside;
    this.value = { ...beside.value, ...value };
    // A keyword that both have counts twice; the rules don't know the second, so it must stay as it is.
    for (const [keyword, other] of Object.entries(beside.value)) {
      if (keyword in value) this.value[`${keyword} beside`] = other;
    }
    this.id = `${pointer} ${JSON.stringify(this.value)}`;
  }

  /** The part below a key; undefined if there is none. */
  at(key) {
    const value = this.value[key];
    if (value === undefined) return undefined;
    if (this.#beside?.value[key] === value) return this.#beside.at(key);
    const escaped = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
    return new Part(this.document, value, `${this.pointer}/${escaped}`).#followed();
  }

  /** The parts below an object or array that stands below a key, by their names; none if it is not there. */
  below(key) {
    const parent = this.at(key);
    const names = Object.keys(parent?.value ?? {});
    return new Map(names.map((name) => [name, parent.at(name)]));
  }

  /** What is said of the values below a key where nothing is. */
  anything(key) {
    return new Part(this.document, {}, `${this.pointer}/${key}`);
  }

  /** This part with the keywords of another that count for it as well: all but annotations and one. */
  with(part, without) {
    const keywords = Object.entries(part.value).filter(
      ([keyword]) => !ANNOTATIONS.has(keyword) && keyword !== without,
    );
    if (keywords.length === 0) return this;
    const beside = new Part(part.document, Object.fromEntries(keywords), part.pointer);
    return new Part(this.document, this.value, this.pointer, beside);
  }

  /** The value with everything that it refers to; a reference to what contains it stays one. */
  expanded(above = []) {
    if (typeof this.value !== "object" || this.value === null) return this.value;
    if (above.includes(this.pointer)) return { $ref: this.pointer };
    const expand = (key) => this.at(key).expanded([...above, this.pointer]);
    if (Array.isArray(this.value)) return this.value.map((_, index) => expand(index));
    return Object.fromEntries(Object.keys(this.value).map((key) => [key, expand(key)]));
  }

  #followed(seen = []) {
    if (typeof this.value?.$ref !== "string") return this;
    const { $ref } = this.value;
    const keys = $ref.slice(2).split("/");
    const target = keys
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce((value, key) => value?.[key], this.document);
    if (!$ref.startsWith("#/") || seen.includes($ref) || target === undefined) {
      throw new Error(`${this.pointer}: nothing is at ${$ref}`);
    }
    const part = new Part(this.document, target, $ref).#followed([...seen, $ref]);
    return part.with(this, "$ref");
  }
}
