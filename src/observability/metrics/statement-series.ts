import type { Registry } from "prom-client";
import { BoundedNames } from "./bounded-names";
import { Durations, show } from "./durations";

/** The most names of statements; the service has a few dozen. */
const MOST_STATEMENTS = 200;

/** In seconds. The client gives up on a statement after 1.8 s. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2];

/** The statements of one name. */
interface Statements {
  readonly labels: { readonly statement: string };
  readonly durations: Durations;
  errors: number;
}

/** Counts statements by name, how long they took, and those that failed. */
export class StatementSeries {
  private readonly statements = new BoundedNames<Statements>(MOST_STATEMENTS, (statement) => ({
    labels: { statement },
    durations: new Durations(BOUNDS),
    errors: 0,
  }));

  constructor(registry: Registry) {
    const name = "tea_database_statement_duration_seconds";
    show(registry, {
      name,
      help: "Seconds that statements took, by name or kind.",
      type: "histogram",
      values: () =>
        [...this.statements].flatMap(({ durations, labels }) => durations.valuesOf(name, labels)),
    });
    const metricName = "tea_database_statement_errors_total";
    show(registry, {
      name: metricName,
      help: "Statements that failed, by name or kind.",
      type: "counter",
      values: () =>
        [...this.statements].map(({ labels, errors }) => ({ metricName, labels, value: errors })),
    });
  }

  add(name: string, seconds: number, failed: boolean): void {
    const statements = this.statements.of(name);
    statements.durations.add(seconds);
    if (failed) statements.errors += 1;
  }
}
