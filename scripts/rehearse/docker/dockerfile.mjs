import { DockerfileParser } from "dockerfile-ast";

/**
 * The stages of a Dockerfile, each with its name, its image and its steps: keyword, flags by name, and
 * arguments. Arguments in JSON are a list, others words.
 */
export function stagesOf(text) {
  const stages = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === "FROM") {
      const name = instruction.getBuildStage() ?? String(stages.length);
      stages.push({ name, image: instruction.getImage(), steps: [] });
    } else {
      stages.at(-1).steps.push({ keyword, ...detailsOf(instruction) });
    }
  }
  return stages;
}

function detailsOf(instruction) {
  const flags = instruction.getFlags?.() ?? [];
  const strings = instruction.getJSONStrings?.() ?? [];
  return {
    text: instruction.getArgumentsContent(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue()])),
    json: strings.length > 0 ? strings.map((string) => string.getJSONValue()) : undefined,
    words: instruction
      .getArguments()
      .map((each) => each.getValue())
      .filter((word) => !word.startsWith("--")),
    properties: Object.fromEntries(
      (instruction.getProperties?.() ?? []).map((each) => [each.getName(), each.getValue()]),
    ),
  };
}
