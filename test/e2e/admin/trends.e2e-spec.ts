import { firstIdAt, newIdAt } from '../../../src/platform/ids';
import { type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('trends for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const trends = async () => (await t.api.get('/admin/trends').set(admin.bearer).expect(200)).body.data;
  const event = (at: Date, lag: number) =>
    t.database.query(
      `INSERT INTO webhook_events VALUES ($1, $2, 'x', 'processed', NULL,
        $3::timestamptz - make_interval(secs => $4), $3, 1, NULL, '{}')`,
      [newIdAt(at), `evt_${newIdAt(at)}`, at, lag],
    );

  it('start with empty days and hours, oldest first', async () => {
    const { registrations, webhooks, syncRuns } = await trends();
    const today = Date.parse(new Date(t.clock.now()).toISOString().slice(0, 10));
    const days = Array.from({ length: 30 }, (_, i) => new Date(today - (29 - i) * DAY).toISOString().slice(0, 10));
    expect(registrations).toEqual(days.map((day, i) => ({ day, users: i === 29 ? 1 : 0 }))); // the admin
    expect(webhooks).toHaveLength(24);
    const last = Math.floor(t.clock.now().getTime() / HOUR) * HOUR;
    expect(webhooks.map(({ at }: { at: string }) => Date.parse(at))).toEqual(
      Array.from({ length: 24 }, (_, i) => last - (23 - i) * HOUR),
    );
    expect(webhooks[0]).toEqual({ at: expect.stringMatching(/Z$/), events: 0, medianSeconds: null, p95Seconds: null });
    expect(syncRuns).toEqual([]);
  });

  it('count the accounts created on each of 30 days', async () => {
    const [{ day: first }] = (await trends()).registrations;
    const start = Date.parse(first);
    const moments = [-1, 0, DAY - 1, DAY, 10 * DAY, 10 * DAY + 1, 10 * DAY + 2].map(
      (offset) => new Date(start + offset),
    );
    for (const moment of moments) {
      await t.database.query(`INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, 'Ada', $3)`, [
        firstIdAt(moment),
        `u${moment.getTime()}@example.com`,
        moment,
      ]);
    }
    const { registrations } = await trends();
    const some = registrations.flatMap(({ users }: { users: number }, i: number) => (users > 0 ? [[i, users]] : []));
    expect(some).toEqual([
      [0, 2],
      [1, 1],
      [10, 3],
      [29, 1],
    ]);
  });

  it('show the events of each hour, limited to the latest 10,000', async () => {
    const hours = (await trends()).webhooks.map(({ at }: { at: string }) => Date.parse(at)) as number[];
    await event(new Date(hours[0] - 1), 1000);
    for (const lag of [-5, 1, 2, 3]) await event(new Date(hours[0]), lag);
    await event(new Date(hours[1] - 1), 100);
    await event(new Date(hours[22]), 7);
    const { webhooks } = await trends();
    expect(webhooks[0]).toMatchObject({ events: 5, medianSeconds: 2, p95Seconds: 100 });
    expect(webhooks[22]).toMatchObject({ events: 1, medianSeconds: 7, p95Seconds: 7 });
    expect(webhooks[1]).toMatchObject({ events: 0, medianSeconds: null });
    await t.database.query(
      `INSERT INTO webhook_events SELECT ($1 || lpad(to_hex(i), 12, '0'))::uuid, 'evt_' || i, 'x', 'processed', NULL,
        $2::timestamptz, $2, 1, NULL, '{}'
         FROM generate_series(1, 9997) i`,
      [firstIdAt(new Date(hours[22])).slice(0, 24), new Date(hours[22])],
    );
    const more = (await trends()).webhooks;
    expect([more[22].events, more[0].events]).toEqual([9998, 2]);
    await t.database.query('DELETE FROM webhook_events');
  });

  it('show the latest 30 finished sync runs, oldest first', async () => {
    await t.database.query(
      `INSERT INTO sync_runs (id, slot, started_at, finished_at, seen)
        SELECT ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid,
              now() + make_interval(hours => i), now(), CASE WHEN i <> 20 THEN now() END, i
                FROM generate_series(1, 35) i`,
    );
    const { syncRuns } = await trends();
    expect(syncRuns.map(({ seen }: { seen: number }) => seen)).toEqual(
      Array.from({ length: 31 }, (_, i) => i + 5).filter((i) => i !== 20),
    );
    expect(syncRuns[0]).toEqual({
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      seen: 5,
      corrected: 0,
      unknown: 0,
      unknownPrices: [],
    });
    const { lastSync } = (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
    expect(lastSync).toEqual(syncRuns.at(-1));
  });
});
