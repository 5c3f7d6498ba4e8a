const IDLE = new Set(["(idle)", "(root)"]);

/** Whose code a function of a profile is: a package, a folder of src, or a part of Node. */
function ownerOf({ functionName, url }) {
  const [, scope] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (scope) return scope;
  const [, folder] = /\/dist\/([^/]+)/.exec(url) ?? [];
  if (folder) return `src/${folder.replace(/[.]js$/, ".ts")}`;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url.startsWith("node:")) return url.replace(/^node:(?:internal\/)?_?([^/]+).*/, "node:$1");
  return functionName === "(program)" ? "outside of JavaScript" : "built into V8 and Node";
}

/** The share of a profile's time that each owner's own code took, greatest first. Idle time does not count. */
export function sharesOf({ nodes, samples, timeDeltas }) {
  const owners = new Map(
    nodes
      .filter(({ callFrame }) => !IDLE.has(callFrame.functionName))
      .map(({ id, callFrame }) => [id, ownerOf(callFrame)]),
  );
  const times = new Map();
  let total = 0;
  samples.forEach((id, index) => {
    const owner = owners.get(id);
    if (owner === undefined) return;
    const time = timeDeltas[index];
    times.set(owner, (times.get(owner) ?? 0) + time);
    total += time;
  });
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .map(([owner, time]) => ({ owner, share: time / total }));
}
