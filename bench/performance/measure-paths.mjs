import { compare } from "./compare.mjs";
import { measure, summarise } from "./measure.mjs";

/** Measures paths one after another; each result has the path and, by contender, its summary. */
export async function* measurePaths({ paths, only, lineup, generator, postgres, data, ...how }) {
  for (const path of paths) {
    const service = await lineup.get("service");
    const entries = [];
    const sameBytes = {};
    for (const name of only ?? path.contenders) {
      const contender = await lineup.get(name);
      sameBytes[name] = await compare(path, service, contender, data);
      const requests = (path.requestsOf?.[name] ?? path.requests)(data);
      const prepare = path.prepare ?? ((_url, request) => request);
      entries.push({
        contender,
        requests: await Promise.all(requests.map((each) => prepare(contender.url, each))),
      });
    }
    const results = await measure({ path, entries, generator, postgres, ...how });
    const summaries = [...results].map(([name, rounds]) => [
      name,
      { ...summarise(rounds), sameBytes: sameBytes[name] },
    ]);
    yield { path, contenders: new Map(summaries) };
  }
}
