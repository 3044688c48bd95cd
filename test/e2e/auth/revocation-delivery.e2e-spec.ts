import { SessionIssuer } from '../../../src/auth/services/session-issuer';
import type { TokenPair } from '../../../src/auth/domain/token-pair';
import { DatabaseChannels } from '../../../src/platform/database/listen-notify';
import { bearer, type Bearer, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { NotificationBlockingProxy } from '../../support/notification-blocking-proxy';
import { eventually } from '../../support/eventually';

const A_SECOND_MS = 1000;
const KILL_LISTENERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'tenantry listener' AND datname = current_database()`;

/** Revocations reach other instances by LISTEN, or by polling while that does not work. */
describe('a revoked session', () => {
  let t: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    second = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  const me = (user: Bearer, at: TestApp) => at.api.get('/auth/me').set(user.bearer);
  const logOut = (actor: SignedInUser) =>
    t.api.post('/auth/logout').send({ refreshToken: actor.refreshToken }).expect(200);

  it('is refused on another instance within a second (p99 of 200) while listening connections are killed', async () => {
    const user = await t.actors.user();
    const open = async () => {
      const opened = await t.nest.get(SessionIssuer).open(user, { method: 'password' });
      if (!opened.ok) throw new Error(opened.failure.code);
      const { accessToken, refreshToken } = opened.value as TokenPair;
      return { accessToken, refreshToken, bearer: bearer(accessToken) };
    };
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      const session = await open();
      await me(session, second).expect(200);
      if (i % 10 === 0) await t.database.query(KILL_LISTENERS);
      await t.api.post('/auth/logout').send({ refreshToken: session.refreshToken }).expect(200);
      const start = performance.now();
      await eventually(async () => ((await me(session, second)).status === 401 ? true : undefined), 'the refusal');
      times.push(performance.now() - start);
    }
    const [median, p99] = [0.5, 0.99].map((share) => times.sort((a, b) => a - b)[Math.ceil(share * times.length) - 1]);
    expect(median).toBeLessThan(100);
    expect(p99).toBeLessThan(A_SECOND_MS);
  }, 120_000);

  it('is refused by polling while an instance cannot listen', async () => {
    const deaf = await TestApp.start({ beside: t });
    Object.assign(deaf.nest.get(DatabaseChannels), { open: () => Promise.resolve() });
    await t.database.query(KILL_LISTENERS);
    const actor = await t.actors.signedInUser();
    await me(actor, deaf).expect(200);
    await logOut(actor);
    await eventually(
      async () => ((await me(actor, deaf)).status === 401 ? true : undefined),
      'the refusal',
      A_SECOND_MS,
    );
    const losses = deaf.logLines.filter((line) => line.includes('"database.listen_failed"'));
    expect(losses).toHaveLength(1); // once, however often the connection is tried again
    await deaf.close();
  });

  it('is refused by polling while LISTEN receives nothing (behind a pooler), and by listening afterwards', async () => {
    const proxy = await NotificationBlockingProxy.start(t.database.url);
    const deaf = await TestApp.start({ beside: t, env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'warn', WORKER: 'off' } });
    const isRefusedThere = async () => {
      const actor = await t.actors.signedInUser();
      await me(actor, deaf).expect(200);
      await logOut(actor);
      await eventually(
        async () => ((await me(actor, deaf)).status === 401 ? true : undefined),
        'the refusal',
        A_SECOND_MS,
      );
    };
    await isRefusedThere();
    expect(deaf.logLines.join()).toContain('database.listen_failed');
    await new Promise((resolve) => setTimeout(resolve, 3000)); // more than one attempt to listen
    await isRefusedThere();
    const connections = `SELECT FROM pg_stat_activity WHERE application_name = 'tenantry listener'
      AND datname = current_database()`;
    expect((await t.database.query(connections)).length).toBeLessThan(8); // attempts leak no connections
    proxy.forwardsNotifications = true;
    const channels = deaf.nest.get(DatabaseChannels);
    await eventually(() => !Reflect.get(channels, 'polling') || undefined, 'the end of polling');
    await isRefusedThere();
    await deaf.close();
    await proxy.close();
  }, 30_000);

  it('is refused within three seconds by an instance whose listening connection hangs', async () => {
    const proxy = await NotificationBlockingProxy.start(t.database.url);
    proxy.forwardsNotifications = true;
    const hung = await TestApp.start({
      beside: t,
      env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal', WORKER: 'off' },
    });
    const actor = await t.actors.signedInUser();
    // The pool gets several connections, as of a busy instance; the proxy then refuses new ones.
    await Promise.all(Array.from({ length: 5 }, () => me(actor, hung).expect(200)));
    proxy.freezeListeners();
    await logOut(actor);
    await eventually(
      async () => ((await me(actor, hung)).status === 401 ? true : undefined),
      'the refusal',
      3 * A_SECOND_MS,
    );
    await hung.close();
    await proxy.close();
  });
});
