import { isDeepStrictEqual } from "node:util";
import { ANNOTATIONS, Part } from "./part.mjs";

/** Keywords that limit values, by the type that they are about. */
const LEAST = {
  ...{ minimum: "number", exclusiveMinimum: "number" },
  ...{ minLength: "string", minItems: "array", minProperties: "object" },
};
const MOST = {
  ...{ maximum: "number", exclusiveMaximum: "number" },
  ...{ maxLength: "string", maxItems: "array", maxProperties: "object" },
};
const FORMS = { pattern: "string", format: "string", multipleOf: "number", uniqueItems: "array" };

const COMPARED = new Set([
  ...[...Object.keys(LEAST), ...Object.keys(MOST), ...Object.keys(FORMS), "type", "enum", "const"],
  ...["properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "default"],
]);
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** The rules of schemas: their names where requests become stricter, and where answers become looser. */
const NAMES = {
  type: ["request-type-narrowed", "response-type-widened"],
  values: ["request-values-removed", "response-values-added"],
  bound: ["request-bound-tightened", "response-bound-loosened"],
  form: ["request-form-tightened", "response-form-loosened"],
  required: ["request-property-required", "response-property-optional"],
  unknown: ["request-property-removed", "response-property-added"],
  removed: ["request-property-removed", "response-property-removed"],
  open: ["request-closed", "response-opened"],
  alternative: ["request-alternative-removed", "response-alternative-added"],
  default: ["request-default-changed"],
  other: ["request-keyword-changed", "response-keyword-changed"],
};

/** GraphQL leaves what is in here to the service, and its clients ignore what they don't know. */
const GROWING =
  "#/components/schemas/GraphQLAnswer/properties/errors/items/properties/extensions/properties/";

/**
 * Compares schemas of one direction. Of a request, each value that was valid must still be; of a response, each
 * value that is valid must have been. Both ask whether one schema, `wide`, allows what `narrow` allows, keyword
 * by keyword. Where that can't be told, the change counts as a break.
 */
export class SchemaRules {
  #isRequest;
  #report;
  /** Pairs that were compared or are being compared, so that recursive schemas come to an end. */
  #met;

  /**
   * @param isRequest whether the schemas are of requests, otherwise of responses
   * @param report is called with the name of a rule, a sentence and the JSON pointer of the schema
   */
  constructor(isRequest, report, met = new Set()) {
    this.#isRequest = isRequest;
    this.#report = report;
    this.#met = met;
  }

  /** Compares two schemas, given as parts of their documents. */
  compare(before, now) {
    const [wide, narrow] = this.#isRequest ? [now, before] : [before, now];
    const pair = `${wide.id} ${narrow.id}`;
    if (this.#met.has(pair)) return;
    this.#met.add(pair);
    const [allowing, allowed] = [alternatives(wide), alternatives(narrow)];
    if (allowing.length === 1 && allowed.length === 1) this.#keywords(allowing[0], allowed[0]);
    else for (const each of allowed) this.#alternative(allowing, each, allowed.length);
  }

  #alternative(allowing, narrow, count) {
    const attempts = allowing.map((wide) => {
      const found = [];
      const report = (...finding) => found.push(finding);
      const rules = new SchemaRules(this.#isRequest, report, new Set(this.#met));
      rules.compare(...this.#inTime(wide, narrow));
      return found;
    });
    if (attempts.some((found) => found.length === 0)) return;
    const [closest] = attempts.sort((one, other) => one.length - other.length);
    // As many as before: one of them has changed, and what has changed says more.
    if (allowing.length === count) for (const finding of closest) this.#report(...finding);
    else this.#say("alternative", narrow, `an alternative is ${this.#isRequest ? "gone" : "new"}`);
  }

  #keywords(wide, narrow) {
    if (narrow.value === false) return;
    [wide, narrow] = [wide, narrow].map(inWords);
    const types = typesOf(narrow.value);
    const missing = types.filter((type) => !isAmong(type, typesOf(wide.value)));
    if (missing.length > 0) {
      const news = this.#isRequest ? "no longer valid" : "new";
      this.#say("type", narrow, `the type ${missing.join(" or ")} is ${news}`);
    }
    this.#values(wide, narrow);
    const isAbout = (type) => types.some((each) => each === type || isAmong(each, [type]));
    const changed = (rule, keywords, isBreak) => {
      for (const [keyword, type] of Object.entries(keywords)) {
        const [w, n] = [wide.value[keyword], narrow.value[keyword]];
        if (w !== undefined && isAbout(type) && (n === undefined || isBreak(w, n))) {
          this.#say(rule, narrow, this.#change(keyword, wide, narrow));
        }
      }
    };
    changed("bound", LEAST, (w, n) => w > n);
    changed("bound", MOST, (w, n) => w < n);
    changed("form", FORMS, (w, n) => w !== n);
    if (isAbout("object")) this.#properties(wide, narrow);
    if (isAbout("array") && wide.value.items !== undefined) {
      this.#below(wide.at("items"), narrow.at("items") ?? narrow.anything("items"));
    }
    this.#unexplained(wide, narrow);
  }

  #values(wide, narrow) {
    const [w, n] = [wide, narrow].map(({ value }) =>
      "const" in value ? [value.const] : value.enum,
    );
    if (w === undefined) return;
    const keyword = "const" in wide.value ? "const" : "enum";
    if (n === undefined) return this.#say("values", narrow, this.#change(keyword, wide, narrow));
    const others = n.filter((each) => !w.some((value) => isDeepStrictEqual(value, each)));
    const news = this.#isRequest ? "no longer valid" : "new";
    if (others.length === 0) return;
    this.#say("values", narrow, `${others.map(shown).join(", ")} is ${news}`);
  }

  #properties(wide, narrow) {
    const [w, n] = [wide.below("properties"), narrow.below("properties")];
    const [others, allowed] = [wide, narrow].map((each) => each.at("additionalProperties"));
    for (const name of wide.value.required ?? []) {
      const isGone = !this.#isRequest && w.has(name) && !n.has(name);
      if (isGone || narrow.value.required?.includes(name)) continue;
      const news = this.#isRequest ? "must now be sent" : "is no longer always there";
      this.#say("required", narrow, `${name} ${news}`);
    }
    for (const [name, part] of n) {
      if (w.has(name)) this.#below(w.get(name), part);
      else if (this.#isRequest) this.#say("removed", part, `${name} is gone`);
      else if (others?.value === false) {
        if (part.pointer === GROWING + name) continue;
        this.#say("unknown", part, `${name} is new, and the object is closed`);
      } else if (others !== undefined) this.#below(others, part);
    }
    for (const [name, part] of this.#isRequest ? [] : w) {
      if (!n.has(name)) this.#say("removed", part, `${name} is gone`);
    }
    if (others === undefined || allowed?.value === false) return;
    if (others.value !== false) {
      this.#below(others, allowed ?? narrow.anything("additionalProperties"));
      return;
    }
    const news = this.#isRequest ? "refused" : "allowed";
    this.#say("open", narrow, `properties that are not documented are now ${news}`);
  }

  /** Keywords that the rules above don't know must stay as they are, with what they refer to. */
  #unexplained(wide, narrow) {
    const keywords = new Set([...Object.keys(wide.value), ...Object.keys(narrow.value)]);
    for (const keyword of keywords) {
      if (keyword === "default" ? !this.#isRequest : COMPARED.has(keyword)) continue;
      if (ANNOTATIONS.has(keyword) || keyword.startsWith("x-")) continue;
      const [w, n] = [wide, narrow].map((each) => each.at(keyword)?.expanded());
      if (isDeepStrictEqual(w, n)) continue;
      const rule = keyword === "default" ? "default" : "other";
      this.#say(rule, narrow, this.#change(keyword, wide, narrow));
    }
  }

  #below(wide, narrow) {
    this.compare(...this.#inTime(wide, narrow));
  }

  /** The two sides as what was and what is. */
  #inTime(wide, narrow) {
    return this.#isRequest ? [narrow, wide] : [wide, narrow];
  }

  #change(keyword, wide, narrow) {
    const [was, is] = this.#inTime(wide, narrow).map(({ value }) => shown(value[keyword]));
    return `${keyword} was ${was} and is ${is}`;
  }

  #say(rule, part, sentence) {
    this.#report(NAMES[rule][this.#isRequest ? 0 : 1], sentence, part.pointer);
  }
}

/** Schemas one of which a value must match. `oneOf` counts as `anyOf`. */
function alternatives(schema) {
  const key = ["anyOf", "oneOf"].find((each) => schema.value[each] !== undefined);
  if (key === undefined) return [schema];
  return [...schema.below(key).values()].flatMap((each) => alternatives(each.with(schema, key)));
}

/** The schemas `true` and `false` in keywords. */
function inWords(schema) {
  if (typeof schema.value !== "boolean") return schema;
  return new Part(schema.document, schema.value ? {} : { not: {} }, schema.pointer);
}

function typesOf({ type, enum: values, const: value }) {
  if (type !== undefined) return [type].flat();
  if (values === undefined && value === undefined) return TYPES;
  return [...new Set((values ?? [value]).map(typeOf))];
}

function typeOf(value) {
  if (value === null) return "null";
  if (Number.isInteger(value)) return "integer";
  return Array.isArray(value) ? "array" : typeof value;
}

const isAmong = (type, types) =>
  types.includes(type) || (type === "integer" && types.includes("number"));

const shown = (value) => (value === undefined ? "not there" : JSON.stringify(value));
