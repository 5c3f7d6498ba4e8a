import { withClient } from "../../database/connection/with-client";
import type { WebhookNumbers } from "../../vocabulary/meter";

type Row = Omit<WebhookNumbers, "endpoints"> & {
  readonly active: number;
  readonly failing: number;
  readonly inactive: number;
  readonly disabled: number;
};

/** The timeout, in milliseconds, is the client's, because a server that hangs runs no timer. */
const STATEMENT = {
  text: `
    SELECT endpoints.*, waiting.* FROM (
      SELECT count(*) FILTER (WHERE is_active)::integer AS active,
        count(*) FILTER (WHERE is_active AND failing_since IS NOT NULL)::integer AS failing,
        count(*) FILTER (WHERE NOT is_active AND disabled_because IS NULL)::integer AS inactive,
        count(*) FILTER (WHERE NOT is_active AND disabled_because IS NOT NULL)::integer AS disabled
      FROM webhook_endpoints
    ) AS endpoints, (
      SELECT count(*)::integer AS waiting,
        -- What is sent again is as old as its event.
        coalesce(extract(epoch FROM now() - min(webhook_deliveries.created_at) FILTER (WHERE NOT is_resent)), 0)::float8
          AS oldest,
        coalesce(greatest(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float8 AS overdue
      FROM webhook_deliveries JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
      WHERE state = 'WAITING' AND is_active
    ) AS waiting`,
  query_timeout: 5_000,
};

/**
 * The numbers of webhooks at this moment. Opens a connection of its own, so that measuring takes none from the pool.
 *
 * @throws the errors of pg, in bounded time
 */
export const webhookNumbers = (databaseUrl: string): Promise<WebhookNumbers> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Row>(STATEMENT);
    const [row] = rows;
    if (!row) throw new Error("A SELECT of counts returns them");
    const { waiting, oldest, overdue, ...endpoints } = row;
    return { waiting, oldest, overdue, endpoints };
  });
