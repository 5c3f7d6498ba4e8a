// Packages of scripts/rehearse and test/quality/mutants, which have package files of their own and may not be
// installed. Their types are not checked.
declare module "@action-validator/core";
declare module "@balena/dockerignore";
declare module "@stryker-mutator/instrumenter";
declare module "ajv";
declare module "dockerfile-ast";
declare module "dockerfile-utils";
declare module "yaml";
