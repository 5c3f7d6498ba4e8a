import { readFileSync } from "node:fs";
import path from "node:path";
import {
  buildClientSchema,
  buildSchema,
  introspectionFromSchema,
  type GraphQLSchema,
} from "graphql";

/** A schema as the explorer gets it. */
export const introspected = (sdl: string): GraphQLSchema =>
  buildClientSchema(introspectionFromSchema(buildSchema(sdl)));

/** That of the shop. */
export const shopSchema = (): GraphQLSchema =>
  introspected(readFileSync(path.resolve(__dirname, "../../schema.graphql"), "utf8"));
