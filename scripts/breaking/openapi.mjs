import { isDeepStrictEqual } from "node:util";
import { Part } from "./part.mjs";
import { SchemaRules } from "./schemas.mjs";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * What of an OpenAPI document breaks clients of an earlier one. Requests may not become stricter, and answers
 * not looser; CONTRIBUTING.md lists the rules. Each finding has its rule, where it is, and what has changed.
 */
export function openapiBreaks(before, now) {
  return new OpenApiRules().compare(new Part(before), new Part(now));
}

class OpenApiRules {
  #findings = [];
  #place = "the document";
  #request = new SchemaRules(true, (...finding) => this.#add(...finding));
  #response = new SchemaRules(false, (...finding) => this.#add(...finding));

  compare(before, now) {
    const urls = now.value.servers?.map(({ url }) => url) ?? [];
    for (const { url } of before.value.servers ?? []) {
      if (!urls.includes(url)) this.#add("server-removed", `the server ${url} is gone`);
    }
    this.#schemes(before.at("components"), now.at("components"));
    this.#headers(
      before.below("x-headers-of-every-answer"),
      now.below("x-headers-of-every-answer"),
    );
    const operations = operationsOf(now);
    for (const [name, operation] of operationsOf(before)) {
      this.#place = name;
      if (operations.has(name)) this.#operation(name, operation, operations.get(name));
      else this.#add("operation-removed", "the operation is gone");
    }
    return this.#findings;
  }

  #schemes(before, now) {
    for (const [name, scheme] of before?.below("securitySchemes") ?? []) {
      const used = ["type", "scheme", "in", "name", "flows", "openIdConnectUrl"];
      const other = now?.at("securitySchemes")?.at(name)?.value ?? {};
      const changed = used.filter((key) => !isDeepStrictEqual(scheme.value[key], other[key]));
      if (changed.length === 0) continue;
      this.#add("security-scheme-changed", `another ${changed.join(", ")} of ${name}`);
    }
  }

  #operation(name, before, now) {
    if (before.id !== now.id) {
      this.#add("operation-id-changed", `operationId was ${before.id} and is ${now.id}`);
    }
    for (const way of before.security) {
      if (now.security.some((each) => isMet(each, way))) continue;
      const sent = Object.keys(way).join(" and ") || "no credentials";
      this.#add("security-stricter", `${sent} no longer enough`);
    }
    this.#parameters(name, before.parameters, now.parameters);
    this.#place = `${name}, body`;
    this.#body(before.part.at("requestBody"), now.part.at("requestBody"));
    this.#answers(name, before.part.below("responses"), now.part.below("responses"));
  }

  #parameters(name, before, now) {
    for (const [key, parameter] of now) {
      if (!parameter.value.required || before.get(key)?.value.required) continue;
      this.#place = name;
      const sentence = `${nameOf(parameter)} must now be sent`;
      this.#add("parameter-required", sentence, parameter.pointer);
    }
    for (const [key, parameter] of before) {
      this.#place = `${name}, ${nameOf(parameter)}`;
      const other = now.get(key);
      if (other === undefined) {
        this.#add("parameter-removed", "the parameter is gone", parameter.pointer);
      } else if (!isDeepStrictEqual(encodingOf(parameter), encodingOf(other))) {
        this.#add("parameter-encoding-changed", "it is written otherwise", parameter.pointer);
      } else {
        this.#request.compare(schemaOf(parameter), schemaOf(other));
      }
    }
  }

  #body(before, now) {
    if (now?.value.required && !before?.value.required) {
      this.#add("body-required", "a body must now be sent", now.pointer);
    }
    this.#content("request", before, now);
  }

  #answers(name, before, now) {
    for (const [status, answer] of now) {
      this.#place = `${name}, ${status}`;
      if (before.has(status)) {
        const was = before.get(status);
        this.#headers(was.below("headers"), answer.below("headers"));
        this.#content("response", was, answer);
      } else this.#add("status-added", `the status ${status} is new`, answer.pointer);
    }
    for (const [status, { pointer }] of before) {
      this.#place = name;
      if (/^[23]/.test(status) && !now.has(status)) {
        this.#add("status-removed", `the status ${status} is gone`, pointer);
      }
    }
  }

  #headers(before, now) {
    for (const [name, header] of before) {
      const other = now.get(name);
      if (other === undefined) {
        this.#add("response-header-removed", `the header ${name} is gone`, header.pointer);
        continue;
      }
      if (header.value.required && !other.value.required) {
        const sentence = `the header ${name} is no longer always there`;
        this.#add("response-header-optional", sentence, other.pointer);
      }
      this.#response.compare(schemaOf(header), schemaOf(other));
    }
  }

  #content(direction, before, now) {
    const others = now?.below("content") ?? new Map();
    for (const [type, media] of before?.below("content") ?? []) {
      if (others.has(type)) {
        const rules = direction === "request" ? this.#request : this.#response;
        rules.compare(schemaOf(media), schemaOf(others.get(type)));
      } else this.#add(`${direction}-media-type-removed`, `${type} is gone`, media.pointer);
    }
  }

  #add(rule, sentence, pointer = "#") {
    const isSame = (each) =>
      each.rule === rule && each.pointer === pointer && each.sentence === sentence;
    // What several operations share is told of the first.
    if (pointer !== "#" && this.#findings.some(isSame)) return;
    this.#findings.push({ rule, where: this.#place, sentence, pointer });
  }
}

/** The operations of a document by method and path, each with what its path or the document says of it. */
function operationsOf(document) {
  const operations = new Map();
  for (const [path, item] of document.below("paths")) {
    for (const method of METHODS.filter((each) => item.value[each] !== undefined)) {
      const part = item.at(method);
      const security = part.value.security ?? document.value.security ?? [];
      const parameters = [item, part].flatMap((each) => [...each.below("parameters").values()]);
      operations.set(`${method.toUpperCase()} ${path}`, {
        part,
        id: part.value.operationId,
        security: security.length === 0 ? [{}] : security,
        parameters: new Map(parameters.map((each) => [keyOf(each), each])),
      });
    }
  }
  return operations;
}

const nameOf = ({ value }) => `${value.in} ${value.name}`;

function keyOf(parameter) {
  const name = nameOf(parameter);
  return parameter.value.in === "header" ? name.toLowerCase() : name;
}

function encodingOf({ value }) {
  const style = value.style ?? (["query", "cookie"].includes(value.in) ? "form" : "simple");
  const { explode = style === "form", allowReserved = false, content = {} } = value;
  return { style, explode, allowReserved, content: Object.keys(content) };
}

/** The schema of a parameter, a header or a media type. */
function schemaOf(part) {
  const [content] = part.below("content").values();
  return part.at("schema") ?? content?.at("schema") ?? part.anything("schema");
}

/** Whether the credentials of an earlier way in still meet a requirement. */
function isMet(requirement, way) {
  return Object.entries(requirement).every(
    ([scheme, roles]) => scheme in way && roles.every((role) => way[scheme].includes(role)),
  );
}
