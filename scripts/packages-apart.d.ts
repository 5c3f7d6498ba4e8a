// Packages of scripts/rehearse, which has a package file of its own and may not be installed. Their types are not
// checked.
declare module "@action-validator/core";
declare module "@balena/dockerignore";
declare module "ajv";
declare module "dockerfile-ast";
declare module "dockerfile-utils";
declare module "yaml";
