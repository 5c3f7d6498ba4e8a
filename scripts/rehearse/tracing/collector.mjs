import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Stands in for an OpenTelemetry collector: it keeps the spans that it gets over OTLP as JSON. */
export class Collector {
  #server = createServer((request, response) => void this.#receive(request, response));
  spans = [];

  async start(cleanup) {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    cleanup.add(() => {
      this.#server.close();
      this.#server.closeAllConnections();
    });
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** The spans of a trace, each after its parent and with the number of its ancestors as `depth`. */
  of(traceId) {
    const spans = this.spans.filter((span) => span.traceId === traceId);
    const below = (parent, depth) =>
      spans
        .filter(({ parentId }) => parentId === parent)
        .toSorted((one, other) => (one.start < other.start ? -1 : 1))
        .flatMap((span) => [{ ...span, depth }, ...below(span.id, depth + 1)]);
    const ids = new Set(spans.map(({ id }) => id));
    const roots = spans.map(({ parentId }) => parentId).filter((id) => !ids.has(id));
    return [...new Set(roots)].flatMap((root) => below(root, 0));
  }

  async #receive(request, response) {
    const { resourceSpans = [] } = /** @type {any} */ (await json(request));
    for (const { scope, spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
      const library = scope.name.replace("@opentelemetry/instrumentation-", "");
      this.spans.push(...spans.map((span) => spanOf(span, library)));
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }
}

const spanOf = (span, library) => ({
  library,
  name: span.name,
  id: span.spanId,
  parentId: span.parentSpanId,
  traceId: span.traceId,
  start: BigInt(span.startTimeUnixNano),
  milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  attributes: Object.fromEntries(
    span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  ),
});
