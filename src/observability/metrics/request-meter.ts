import type { Request, RequestHandler, Response, Router } from "express";
import { metricLabelsOf } from "../../http/answer/metric-labels";
import type { Meter, RequestTally } from "../../vocabulary/meter";
import { routesIn, type Route } from "./routes";

/** The operation of requests that came to no route: most are 404, some are files or refused before. */
const NO_ROUTE = "none";

/** The code of requests whose client went away before the answer was complete. */
const CUT_OFF = "cut off";

/**
 * Counts requests by the route that took them, or by what the door has noted about its answer. Routes are
 * known from the application itself, so that no path of a client becomes a name.
 */
export class RequestMeter {
  private readonly tallies = new Map<Route | undefined, RequestTally>();
  private readonly unrouted: RequestTally;

  constructor(private readonly meter: Pick<Meter, "requestsOf">) {
    this.unrouted = meter.requestsOf("other", NO_ROUTE);
  }

  /** Must be the first handler, because it takes the time. */
  readonly handler: RequestHandler = (request, response, next) => {
    const started = performance.now();
    response.on("close", () => {
      const seconds = (performance.now() - started) / 1000;
      this.count(request, response, seconds);
    });
    next();
  };

  /** Learns the routes of an application, when all are added. `doors` are routers by name. */
  learn(application: Router, doors: Readonly<Record<string, Router>>): void {
    for (const [route, { name, routers }] of routesIn(application)) {
      const [door = "other"] =
        Object.entries(doors).find(([, router]) => routers.includes(router)) ?? [];
      this.tallies.set(route, this.meter.requestsOf(door, name));
    }
  }

  private count(request: Request, response: Response, seconds: number): void {
    const note = metricLabelsOf(response);
    const tally = note
      ? this.meter.requestsOf(note.door, note.operation)
      : (this.tallies.get(request.route as Route | undefined) ?? this.unrouted);
    const code = note?.code ?? response.statusCode;
    tally.add(response.writableFinished ? code : CUT_OFF, seconds);
  }
}
