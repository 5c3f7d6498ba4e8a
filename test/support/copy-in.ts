import { once } from "node:events";
import { Query, type Client } from "pg";

/** Receives the rows of a COPY. */
interface CopyTarget {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A `COPY … FROM STDIN` with rows, which pg's own queries can't send. */
class CopyIn extends Query {
  constructor(
    statement: string,
    private readonly content: string,
  ) {
    super(statement);
  }

  /** Called by pg when the server is ready for the rows. */
  handleCopyInResponse(target: CopyTarget): void {
    target.sendCopyFromChunk(Buffer.from(this.content));
    target.endCopyFrom();
  }
}

/** Runs `COPY … FROM STDIN` with rows in the text format of PostgreSQL. */
export async function copyIn(client: Client, statement: string, rows: string): Promise<void> {
  await once(client.query(new CopyIn(statement, rows)), "end");
}
