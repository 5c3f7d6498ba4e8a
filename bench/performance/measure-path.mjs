import { compare } from "./compare.mjs";
import { measure, summarise } from "./measure.mjs";

/** The requests of a path to one contender, made ready for it. */
export function requestsTo({ name, url }, path, data) {
  const requests = (path.requestsOf?.[name] ?? path.requests)(data);
  const prepare = path.prepare ?? ((_url, request) => request);
  return Promise.all(requests.map((each) => prepare(url, each)));
}

/** The contenders of a path with their requests, after their answers were compared with the service's. */
async function entriesOf(path, { lineup, data }) {
  const service = await lineup.get("service");
  const entries = [];
  for (const name of path.contenders) {
    const contender = await lineup.get(name);
    const sameBytes = await compare(path, service, contender, data);
    entries.push({ contender, sameBytes, requests: await requestsTo(contender, path, data) });
  }
  return entries;
}

/** Measures a path; the result has the path and, by contender, a summary. */
export async function measurePath(path, options) {
  const entries = await entriesOf(path, options);
  const results = await measure({ ...options, path, entries });
  const contenders = new Map();
  for (const [index, { contender, requests, sameBytes }] of entries.entries()) {
    const { connections, counter } = options;
    const asked = { contender, requests, freshKeys: path.freshKeys, connections };
    const statements = await counter.perRequest(asked);
    const summary = summarise(results[index]);
    contenders.set(contender.name, { ...summary, statements, sameBytes });
  }
  return { path, contenders };
}
