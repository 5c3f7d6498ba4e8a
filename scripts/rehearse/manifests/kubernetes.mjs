import path from "node:path";
import ts from "typescript";

const FOLDER = path.join(import.meta.dirname, "..");

/**
 * What is wrong with objects of Kubernetes: what its schemas refuse, and members that it does not know, which
 * its types refuse.
 */
export async function faultsOfObjects(objects) {
  const faults = [];
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}`);
    try {
      new Model(object).validate();
    } catch (error) {
      faults.push(`${kind} ${metadata.name}: ${error.message}`);
    }
  }
  return [...faults, ...unknownMembers(objects)];
}

/** What the compiler says of the objects as literals of their types: each excess member is an error. */
function unknownMembers(objects) {
  const file = path.join(FOLDER, "objects-of-kubernetes.ts");
  const source = objects
    .map(({ apiVersion, kind, ...members }, index) => {
      const type = `import("kubernetes-models/${apiVersion}").I${kind}`;
      const literal = JSON.stringify({ apiVersion, kind, ...members }, undefined, 1);
      return `export const object${index}: ${type} = ${literal};`;
    })
    .join("\n");
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [] };
  const resolution = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 };
  const host = ts.createCompilerHost({ ...options, ...resolution });
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, language) =>
    name === file
      ? ts.createSourceFile(name, source, language)
      : getSourceFile.call(host, name, language);
  const program = ts.createProgram([file], { ...options, ...resolution }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}
