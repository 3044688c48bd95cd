import type { LocalMode } from './local-mode';

/** Inserts a month of demo data for the screenshots: users, jobs, webhook events and sync runs. */
export async function insertDemoHistory(local: LocalMode): Promise<void> {
  // UUID version 7 contains the creation time.
  const id = (at: string) =>
    `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1,
      3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
  const day = "now() - d * interval '1 day' - random() * interval '20 hours'";
  await local.query(`
    WITH created AS (SELECT d, k, ${day} AS at FROM generate_series(0, 29) d,
      generate_series(1, 4 + (d * 7) % 11 + (29 - d) / 3) k)
    INSERT INTO users (id, email, name, is_email_verified, created_at)
    SELECT ${id('at')}, 'user' || d || '.' || k || '@example.com', 'User ' || d || '.' || k, (d + k) % 9 > 0, at
      FROM created`);
  await local.query(`
    INSERT INTO job_counts (minute, task, done, failed)
    SELECT date_trunc('minute', now()) - m * interval '5 minutes', 'send-link-mail', 6 + (m * 13) % 17,
      CASE WHEN m % 37 = 0 THEN 3 ELSE 0 END
      FROM generate_series(1, 280) m`);
  await local.query(`
    WITH created AS (SELECT n, now() - n * interval '7 minutes' AS at FROM generate_series(1, 200) n)
    INSERT INTO webhook_events (id, event_id, type, status, created_at, received_at, attempts, payload)
    SELECT ${id('at')}, 'evt_demo' || n, 'invoice.payment_succeeded', 'processed',
      at - (0.4 + random() * 2 + CASE WHEN n % 23 = 0 THEN 6 ELSE 0 END) * interval '1 second', at, 1, '{}'
      FROM created`);
  await local.query(`
    WITH created AS (SELECT n, now() - n * interval '2 hours' AS at FROM generate_series(1, 24) n)
    INSERT INTO sync_runs (id, slot, started_at, finished_at, seen, corrected, unknown)
    SELECT ${id('at')}, at, at, at + interval '1.3 seconds', 240 - n, CASE WHEN n % 5 = 0 THEN n % 4 ELSE 0 END, 0
      FROM created`);
}
