import { setTimeout as pause } from 'node:timers/promises';
import { ListenTiming } from '../../../src/platform/database/listen-notify';
import { NotificationPositions } from '../../../src/notifications/data/notification-positions';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { EventStream } from '../../support/event-stream';
import { eventually } from '../../support/eventually';
import { NotificationBlockingProxy } from '../../support/notification-blocking-proxy';

const A_SECOND_MS = 1000;
/** Longer than the interval at which positions are polled. */
const POLLED_MS = 4000;
const LISTENERS = `SELECT pid FROM pg_stat_activity
  WHERE application_name = 'tenantry listener' AND datname = current_database() ORDER BY pid`;

/** A connection that listens, is answered, and receives nothing. */
describe('An instance whose notifications stop arriving', () => {
  let t: TestApp;
  let deaf: TestApp;
  let proxy: NotificationBlockingProxy;
  let owner: Member;
  let admin: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    proxy = await NotificationBlockingProxy.start(t.database.url);
    proxy.forwardsNotifications = true;
    const env = { DATABASE_DIRECT_URL: proxy.url, WORKER: 'off', LOG_LEVEL: 'info' };
    deaf = await TestApp.start({ beside: t, env });
    Object.assign(deaf.nest.get(ListenTiming), { echoEveryMs: 100, echoWithinMs: 300 });
    owner = await t.actors.owner();
    admin = await t.actors.member(owner, 'Admin');
  });
  afterAll(async () => {
    await deaf.close();
    await proxy.close();
    await t.close();
  });

  const invite = (email: string) =>
    t.api.post('/tenants/current/invitations').set(admin.bearer).send({ email }).expect(200);
  const emailsOf = (stream: EventStream) => stream.events.map(({ data }) => data.data.email);
  const until = (look: () => boolean | Promise<boolean>, what: string, patience?: number) =>
    eventually(async () => (await look()) || undefined, what, patience);
  const hears = async (value: 0 | 1) =>
    (await deaf.http.get('/metrics').expect(200)).text.includes(`database_listener_hears ${value}\n`);
  const hasLogged = (event: string) => deaf.logLines.some((line) => line.includes(`"event":"${event}"`));

  it('keeps its connection while the notifications that it sends itself arrive', async () => {
    expect(await hears(1)).toBe(true);
    const before = await t.database.query(LISTENERS);
    await pause(3 * A_SECOND_MS); // checked once a second
    expect(await t.database.query(LISTENERS)).toEqual(before);
    expect(await hears(1)).toBe(true);
  });

  it('logs it, reads nothing without a stream, and polls for notifications and ended sessions', async () => {
    const newest = jest.spyOn(deaf.nest.get(NotificationPositions), 'newest');
    proxy.forwardsNotifications = false;
    await until(() => hasLogged('database.listener_deaf'), 'the warning');
    await until(() => hears(0), 'the metric');
    await pause(A_SECOND_MS / 2);
    expect(newest).not.toHaveBeenCalled();
    const stream = await EventStream.open(deaf.address, owner.bearer);
    await invite('one@example.com');
    await until(() => emailsOf(stream).length === 1, 'the notification', POLLED_MS);
    await invite('two@example.com');
    await until(() => emailsOf(stream).length === 2, 'the second notification', POLLED_MS);
    const guest = await t.actors.signedInUser();
    const ended = await EventStream.open(deaf.address, guest.bearer);
    await t.api.post('/auth/logout').send({ refreshToken: guest.refreshToken }).expect(200);
    await until(
      async () => (await deaf.api.get('/auth/me').set(guest.bearer)).status === 401,
      'the refusal',
      A_SECOND_MS,
    );
    await ended.untilEnded();
    expect(newest.mock.calls.length).toBeLessThan(10); // every two seconds
    expect(emailsOf(stream)).toEqual(['one@example.com', 'two@example.com']);
    stream.close();
  });

  it('listens again as soon as they arrive', async () => {
    proxy.forwardsNotifications = true;
    await until(() => hears(1), 'the metric');
    expect(hasLogged('database.listen_recovered')).toBe(true);
    const stream = await EventStream.open(deaf.address, owner.bearer);
    await pause(POLLED_MS / 2);
    const sent = performance.now();
    await invite('three@example.com');
    await until(() => emailsOf(stream).length === 1, 'the notification');
    expect(performance.now() - sent).toBeLessThan(A_SECOND_MS);
    stream.close();
  });
});
