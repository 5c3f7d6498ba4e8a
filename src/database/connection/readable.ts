import type { Sequelize } from "sequelize-typescript";

/** What a statement that only reads needs of a database, or of what chooses one for each request. */
export type Readable = Pick<Sequelize, "connectionManager">;
