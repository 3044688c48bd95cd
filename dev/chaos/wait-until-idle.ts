import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { newId } from '../../src/platform/ids';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import type { ServiceProcess } from './service-process';

/** Waits until both instances are ready and all deliveries and jobs are done. */
export async function settle(
  processor: StripeStandIn,
  services: readonly ServiceProcess[],
  database: Client,
): Promise<void> {
  await Promise.all(services.map((service) => service.untilReady()));
  await processor.drain();
  await untilIdle(database);
}

/**
 * Starts the sync, which the service starts every two hours.
 * @returns the number of corrected subscriptions
 */
export async function syncOnce(database: Client): Promise<number> {
  const runId = newId();
  await database.query('INSERT INTO sync_runs (id, slot, started_at) VALUES ($1, now(), now())', [runId]);
  const payload = JSON.stringify({ command: { runId, after: null }, requestId: 'chaos' });
  await database.query(
    `SELECT graphile_worker.add_job('sync-subscriptions', $1::json, job_key => 'sync-subscriptions')`,
    [payload],
  );
  for (;;) {
    const { rows } = await database.query<{ corrected: number }>(
      'SELECT corrected FROM sync_runs WHERE id = $1 AND finished_at IS NOT NULL',
      [runId],
    );
    if (rows.length > 0) return rows[0].corrected;
    await pause(100);
  }
}

/** An email that the limits of its recipient have postponed: by minutes or hours. */
const POSTPONED = `j.attempts = 0 AND j.run_at > now()
  AND j.task_id IN (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'send-payment-mail')`;
const HURRY = `UPDATE graphile_worker._private_jobs j SET run_at = now()
  WHERE locked_at IS NULL AND run_at > now() AND attempts < max_attempts AND NOT (${POSTPONED})`;
const LEFT = `SELECT count(*)::int AS left FROM graphile_worker._private_jobs j
  WHERE attempts < max_attempts AND NOT (${POSTPONED})`;

/** Waits until no job is left. Jobs that are scheduled for later run at once. */
export async function untilIdle(database: Client): Promise<void> {
  for (;;) {
    await database.query(HURRY);
    const { rows } = await database.query<{ left: number }>(LEFT);
    if (rows[0].left === 0) return;
    await pause(200);
  }
}
