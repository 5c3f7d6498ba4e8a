import eslint from "@eslint/js";
import prettier from "eslint-config-prettier";
import { defineConfig, globalIgnores } from "eslint/config";
import regexp from "eslint-plugin-regexp";
import globals from "globals";
import tseslint from "typescript-eslint";

const environmentMessage = "src/config is the only reader of the environment.";
const focusMessage = "Every test runs, always: no only, no skip, no todo.";
const testFunctions = "/^(test|describe|(graphqlC|c)lause(Each)?)$/";
const focusModifiers = "/^(only|skip|todo|failing)$/";

export default defineConfig(
  globalIgnores([
    "dist/",
    "coverage/",
    ".data/",
    ".tmp/",
    "examples/apollo/",
    "examples/*/generated/",
    "admin/api/generated/",
  ]),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" } },
  eslint.configs.recommended,
  {
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-extraneous-class": ["error", { allowWithDecorator: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      // Express's types stand in for Node's classes.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // A caller names the shape of the rows that its query returns.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allow: [{ from: "file", name: "Money" }] },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: "error",
      "no-restricted-imports": [
        "error",
        {
          paths: ["process", "node:process"].map((name) => ({
            name,
            importNames: ["env"],
            message: environmentMessage,
          })),
        },
      ],
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: environmentMessage },
      ],
    },
  },
  {
    files: ["{src,admin}/**/*.{ts,tsx}"],
    plugins: { regexp },
    rules: {
      "max-lines": ["error", 250],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name='query']:matches([callee.object.name='sequelize'], [callee.object.property.name='sequelize'])",
          message: "src/database/statements/sql.ts is the one way to run SQL on the pool.",
        },
      ],
      // A text of a client's costs as many steps as it has characters, wherever a match may begin.
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignorePartial: false }],
    },
  },
  {
    files: ["src/database/statements/sql.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["admin/**/*.{ts,tsx}"],
    rules: {
      // The operations of a source are written as methods, so that sources of several kinds fit one table.
      "@typescript-eslint/unbound-method": "off",
      // react-admin hands out records and conditions as any.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
    },
  },
  {
    files: ["admin/texts.ts"],
    rules: { "max-lines": "off" },
  },
  {
    files: ["src/{cli,local}/**/*.ts", "src/{main,wiring/production}.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["src/config/index.ts", "test/support/**/*.ts"],
    rules: { "no-restricted-imports": "off", "no-restricted-properties": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: `MemberExpression[object.name=${testFunctions}][property.name=${focusModifiers}]`,
          message: focusMessage,
        },
        {
          selector: `MemberExpression[object.object.name=${testFunctions}][property.name=${focusModifiers}]`,
          message: focusMessage,
        },
        {
          selector: "Identifier[name=/^(fit|xit|xtest|fdescribe|xdescribe)$/]",
          message: focusMessage,
        },
        {
          selector: "CallExpression[callee.name='it'], CallExpression[callee.object.name='it']",
          message: "A test is a test, never an it.",
        },
      ],
      "@typescript-eslint/no-non-null-assertion": "off",
      // What a response holds is for the assertions to find out.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  prettier,
);
