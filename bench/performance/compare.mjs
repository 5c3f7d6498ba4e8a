import { isDeepStrictEqual } from "node:util";
import { call } from "../support/http.mjs";

/** Requests of a path that are compared: the first, some in the middle and the last. */
const samples = (requests) =>
  [0, 1, 2, 0.5, 1].map((at, index) =>
    index < 3 ? requests[at % requests.length] : requests[Math.floor(at * (requests.length - 1))],
  );

async function answers(path, contender, data) {
  const requests = (path.requestsOf?.[contender.name] ?? path.requests)(data);
  const texts = [];
  for (const { body, ...request } of samples(requests)) {
    const json = body && JSON.parse(body);
    const { status, text, error } = await call(contender.url, { ...request, json });
    if (status !== (path.status ?? 200)) {
      throw new Error(`${path.name}: ${contender.name} answers ${status || error}: ${text}`);
    }
    texts.push(text);
  }
  return texts;
}

function comparable(path, name, text) {
  const { translate, comparable: reduce = (json) => json } = path;
  const json = JSON.parse(text);
  return reduce(translate?.[name]?.(json) ?? json);
}

/**
 * Compares what a contender answers with what the service answers, and throws if they say different things: whoever
 * does less must not count as faster. Returns whether the bytes are the same too.
 */
export async function compare(path, service, contender, data) {
  const [expected, actual] = [
    await answers(path, service, data),
    await answers(path, contender, data),
  ];
  for (const [index, text] of actual.entries()) {
    const [wanted, got] = [
      comparable(path, service.name, expected[index]),
      comparable(path, contender.name, text),
    ];
    if (wanted === undefined || !isDeepStrictEqual(got, wanted)) {
      throw new Error(
        `${path.name}: ${contender.name} does not answer as the service does:\n${text}\ninstead of\n${expected[index]}`,
      );
    }
  }
  return isDeepStrictEqual(actual, expected);
}
