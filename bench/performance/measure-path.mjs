import { compare } from "./compare.mjs";
import { measure, summarise } from "./measure.mjs";

/** The requests of a path to one contender, made ready for it. */
function requestsTo({ name, url }, path, data) {
  const requests = (path.requestsOf?.[name] ?? path.requests)(data);
  const prepare = path.prepare ?? ((_url, request) => request);
  return Promise.all(requests.map((each) => prepare(url, each)));
}

/** The contenders of a path, each with its load, after their answers were compared with the service's. */
async function entriesOf(path, { lineup, data, generator, connections }) {
  const service = await lineup.get("service");
  const entries = [];
  for (const name of path.contenders) {
    const contender = await lineup.get(name);
    const sameBytes = await compare(path, service, contender, data);
    const requests = await requestsTo(contender, path, data);
    const job = { url: contender.url, requests, freshKeys: path.freshKeys, connections };
    const load = (seconds) => generator.load({ ...job, seconds });
    entries.push({ contender, sameBytes, load });
  }
  return entries;
}

/** Measures a path; the result has the path and, by contender, a summary. */
export async function measurePath(path, options) {
  const entries = await entriesOf(path, options);
  const results = await measure({ ...options, entries });
  const contenders = new Map();
  for (const [index, { contender, load, sameBytes }] of entries.entries()) {
    const statements = await options.counter.perRequest(load);
    contenders.set(contender.name, { ...summarise(results[index]), statements, sameBytes });
  }
  return { path, contenders };
}
