import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

const scripts = path.resolve(__dirname, "../../scripts");

/** Calls a function of the scripts, which are ES modules, with each list of arguments; returns the results. */
export function askScript(
  script: string,
  name: string,
  lists: readonly (readonly unknown[])[],
): unknown[] {
  const program = `
    import { text } from "node:stream/consumers";
    import { ${name} } from ${JSON.stringify(pathToFileURL(path.join(scripts, script)).href)};
    const lists = JSON.parse(await text(process.stdin));
    const answers = await Promise.all(lists.map((given) => ${name}(...given)));
    console.log(JSON.stringify(answers));`;
  const answer = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.dirname(scripts),
    encoding: "utf8",
    input: JSON.stringify(lists),
    maxBuffer: 2 ** 27,
  });
  return JSON.parse(answer) as unknown[];
}
