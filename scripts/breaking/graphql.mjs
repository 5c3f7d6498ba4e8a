import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema, isInputObjectType, isRequiredArgument, isRequiredInputField } from "graphql";

/**
 * What of a GraphQL schema breaks clients of an earlier one, and what is dangerous: such a client may meet what it
 * doesn't expect. The schemas are given in SDL. Each finding has its rule, the path of what has changed, such as
 * `Query.products.sort`, and a sentence.
 */
export async function graphqlChanges(before, now) {
  const changes = await diff(buildSchema(before), buildSchema(now), [requiredWithoutDefault]);
  const of = (level) =>
    changes
      .filter(({ criticality }) => criticality.level === level)
      .map(({ type, path = "schema", message }) => ({
        rule: type,
        where: path,
        sentence: message,
      }));
  return { breaks: of(CriticalityLevel.Breaking), dangers: of(CriticalityLevel.Dangerous) };
}

/**
 * A value that must be given because its default is gone breaks those who left it out. The inspector has it among
 * the changes of defaults, which are only dangerous.
 */
function requiredWithoutDefault({ changes, newSchema }) {
  const isRequired = (path = "") => {
    const [typeName, fieldName, argumentName] = path.split(".");
    const type = newSchema.getType(typeName);
    const field = type?.getFields?.()[fieldName];
    if (field === undefined) return false;
    if (isInputObjectType(type)) return isRequiredInputField(field);
    const argument = field.args.find(({ name }) => name === argumentName);
    return argument !== undefined && isRequiredArgument(argument);
  };
  return changes.map((change) => {
    const isBreak = /DEFAULT/.test(change.type) && isRequired(change.path);
    if (!isBreak) return change;
    const criticality = { ...change.criticality, level: CriticalityLevel.Breaking };
    return { ...change, criticality };
  });
}
