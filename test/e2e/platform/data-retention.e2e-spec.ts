import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { PurgeDeadJobs } from '../../../src/admin/commands/purge-dead-jobs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { PurgeWebhookEvents } from '../../../src/billing/webhooks/commands/purge-webhook-events';
import { PurgeNotifications } from '../../../src/notifications/commands/purge-notifications';
import { DAY, addSeconds } from '../../../src/platform/clock';
import { newIdAt } from '../../../src/platform/ids';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { TestApp } from '../../support/app';

describe('Retention of', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
  });
  afterAll(() => t.close());

  const days = (count: number) => addSeconds(t.clock.now(), -count * DAY);

  it('processed webhook events is 90 days; events that wait for an operator are kept', async () => {
    const add = `INSERT INTO webhook_events (id, event_id, type, status, created_at, received_at, payload)
      VALUES ($1, $2, 'x', $3, $4, $4, '{}')`;
    for (const status of ['processed', 'ignored', 'failed', 'needs-attention']) {
      for (const age of [89, 91])
        await t.database.query(add, [newIdAt(days(age)), `${status} ${age}`, status, days(age)]);
    }
    await t.nest.get(CommandBus).execute(new PurgeWebhookEvents());
    const left = await t.database.query<{ event_id: string }>('SELECT event_id FROM webhook_events ORDER BY event_id');
    expect(left.map(({ event_id }) => event_id)).toEqual([
      'failed 89',
      'failed 91',
      'ignored 89',
      'needs-attention 89',
      'needs-attention 91',
      'processed 89',
    ]);
  });

  it('notifications is 180 days, read or unread, with a tenant or without', async () => {
    const owner = await t.actors.owner();
    const add = `INSERT INTO notifications (id, tenant_id, user_id, kind, data, position, created_at, read_at)
                 VALUES ($1, $2, $3, 'MemberInvited', '{}', nextval('notification_positions'), $4, $5)`;
    const tenants = [owner.tenantId, null];
    for (const age of [179, 181]) {
      for (const [index, tenantId] of tenants.entries()) {
        await t.database.query(add, [
          newIdAt(days(age)),
          tenantId,
          owner.user.id,
          days(age),
          index === 0 ? days(age) : null,
        ]);
      }
    }
    await t.nest.get(CommandBus).execute(new PurgeNotifications());
    const left = await t.database.query<{ created_at: Date }>(
      'SELECT created_at FROM notifications WHERE user_id = $1',
      [owner.user.id],
    );
    expect(left.map(({ created_at }) => created_at > days(180))).toEqual([true, true]);
  });

  it('refresh tokens is their lifetime, and for the last one of a session 30 days more', async () => {
    const { user } = await t.actors.signedInUser();
    const states = {
      current: 'sessions SET current_token_id = id',
      used: 'sessions SET current_token_id = gen_random_uuid()',
      revoked: 'sessions SET current_token_id = id, revoked_at = now()',
      'of an access token alone': 'refresh_tokens SET secret_hash = NULL',
      'used in an earlier version': 'refresh_tokens SET is_revoked = true',
      'of an earlier version': 'sessions SET current_token_id = NULL',
    };
    const add = (age: number, state: string) =>
      t.database.query(
        `WITH session AS (INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, user_agent)
          VALUES (gen_random_uuid(), $1, $2, $2, $2, $3) RETURNING id)
         INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
         SELECT id, id, sha256(random()::text::bytea), $2 FROM session`,
        [user.id, days(age), state],
      );
    for (const [state, change] of Object.entries(states)) {
      for (const age of [-1, 1, 29, 31]) await add(age, state);
      const chosen = 'id IN (SELECT id FROM sessions WHERE user_agent = $1)';
      await t.database.query(`UPDATE ${change} WHERE ${chosen}`, [state]);
    }
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    const left = await t.database.query<{ state: string; age: number }>(
      `SELECT s.user_agent AS state, round(extract(epoch FROM $2::timestamptz - t.expires_at) / 86400)::int AS age
         FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1
           AND t.expires_at <= $2::timestamptz + interval '2 days' ORDER BY 2, 1`,
      [user.id, t.clock.now()],
    );
    // A used token of 29 days, which every daily run has missed, is deleted with the others.
    expect(left.map(({ state, age }) => `${state}, ${age}`)).toEqual([
      'current, -1',
      'of an access token alone, -1',
      'of an earlier version, -1',
      'revoked, -1',
      'used, -1',
      'used in an earlier version, -1',
      'current, 1',
      'of an earlier version, 1',
      'current, 29',
      'of an access token alone, 29',
      'of an earlier version, 29',
      'revoked, 29',
      'used, 29',
      'used in an earlier version, 29',
    ]);
  });

  it('dead jobs is 30 days after their last attempt; waiting jobs are kept', async () => {
    const [recent, old, waiting] = [randomUUID(), randomUUID(), randomUUID()];
    for (const key of [recent, old, waiting])
      await t.nest.get(Jobs).enqueue(new SendLinkMail('a@example.com', 'verification'), key);
    const change = `UPDATE graphile_worker._private_jobs
      SET attempts = $2, updated_at = now() - make_interval(days => $3) WHERE key = $1`;
    await t.database.query(change, [recent, 25, 29]);
    await t.database.query(change, [old, 25, 31]);
    await t.database.query(change, [waiting, 0, 31]);
    await t.nest.get(CommandBus).execute(new PurgeDeadJobs());
    const left = await t.database.query<{ key: string }>('SELECT key FROM graphile_worker._private_jobs ORDER BY id');
    expect(left.map(({ key }) => key)).toEqual([recent, waiting]);
    await t.nest.get(CommandBus).execute(new PurgeDeadJobs()); // with nothing to do
  });

  it('a dead job does not end when an operator retries it during the purge', async () => {
    const key = randomUUID();
    await t.nest.get(Jobs).enqueue(new SendLinkMail('a@example.com', 'verification'), key);
    const change = `UPDATE graphile_worker._private_jobs
      SET attempts = $2, updated_at = now() - make_interval(days => $3) WHERE key = $1`;
    await t.database.query(change, [key, 25, 31]);
    await t.database.inTheMidstOf(change, [key, 0, 0], () => t.nest.get(CommandBus).execute(new PurgeDeadJobs()));
    const left = await t.database.query('SELECT attempts FROM graphile_worker._private_jobs WHERE key = $1', [key]);
    expect(left).toEqual([{ attempts: 0 }]);
  });
});
