// The options of graphql-codegen: documents of graphql/*.ts become types and typed documents.
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

/** @type {import("@graphql-codegen/cli").CodegenConfig} */
export default {
  schema: "contracts/schema.graphql",
  documents: "graphql/*.ts",
  generates: {
    "graphql/generated/": {
      preset: "client",
      presetConfig: {
        fragmentMasking: false,
        // Writes the list for GRAPHQL_DOCUMENTS, and gives each document its hash.
        persistedDocuments: { hashAlgorithm: "sha256" },
      },
      // The caches of urql and Apollo Client need __typename, in the documents of the list as well.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: {
        // A new scalar must be mapped before anything is generated.
        strictScalars: true,
        // A decimal stays text: floating-point numbers can't represent all amounts.
        scalars: { DateTime: "string", Decimal: "string", JSON: "unknown" },
        useTypeImports: true,
      },
    },
  },
};
