/**
 * Seconds from the creation of an event to its receipt, for a row of webhook_events. Small clock
 * differences do not make it negative.
 */
export const LAG_SECONDS = 'greatest(0, extract(epoch FROM received_at - created_at))::float8';

/**
 * The columns of a LagView, from rows with a `lag`. Percentiles are discrete: the lag of one of
 * the events.
 */
export const LAG_COLUMNS = `
  count(lag)::int AS events,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY lag) AS "medianSeconds",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY lag) AS "p95Seconds"`;
