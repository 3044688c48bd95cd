/**
 * Seconds from an event's making to its receipt, of a row of webhook_events. Clocks that differ a
 * little make no negative lag.
 */
export const LAG_SECONDS = 'greatest(0, extract(epoch FROM received_at - created_at))::float8';

/**
 * The columns of a LagView, out of rows that have a `lag`. A percentile is the lag of one of them,
 * not between two.
 */
export const LAG_COLUMNS = `
  count(lag)::int AS events,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY lag) AS "medianSeconds",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY lag) AS "p95Seconds"`;
