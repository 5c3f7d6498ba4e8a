import type { Sequelize } from "sequelize-typescript";
import { currentWork } from "../vocabulary/current-work";

/** Of each request, the replica that it reads; none for those that read the primary. */
const chosen = new WeakMap<object, Sequelize>();

export class ReadPool {
  constructor(private readonly primary: Sequelize) {}

  /** The database that the current request reads: a replica if one was chosen for it, otherwise the primary. */
  get current(): Sequelize {
    const work = currentWork();
    return (work && chosen.get(work)) ?? this.primary;
  }
}

/** From now on, the current request reads this replica; without one, the primary. */
export function readFrom(replica: Sequelize | undefined): void {
  const work = currentWork();
  if (!work) return;
  if (replica) chosen.set(work, replica);
  else chosen.delete(work);
}

/** Something that belongs to one database, such as its cached answers: one for each that is read. */
export class PerDatabase<T> {
  private readonly made = new Map<Sequelize, T>();

  constructor(
    private readonly pool: ReadPool,
    private readonly make: (database: Sequelize) => T,
  ) {}

  /** That of the database which the current request reads. */
  get current(): T {
    const database = this.pool.current;
    const known = this.made.get(database);
    if (known !== undefined) return known;
    const made = this.make(database);
    this.made.set(database, made);
    return made;
  }
}
