import { DAY, MINUTE } from '../../../src/platform/clock';
import { StreamTiming } from '../../../src/notifications/http/stream-timing';
import type { Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { EventStream } from '../../support/event-stream';
import { eventually } from '../../support/eventually';
import { openConnection } from '../../support/raw-connection';

describe('the stream of notifications', () => {
  let t: TestApp;
  let second: TestApp;
  let serial = 0;
  const open: EventStream[] = [];
  beforeAll(async () => {
    t = await TestApp.start();
    second = await TestApp.start({ beside: t });
    for (const { nest } of [t, second]) Object.assign(nest.get(StreamTiming), { heartbeatMs: 50 });
  });
  afterEach(() => open.splice(0).forEach((stream) => stream.close()));
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  const listen = async (user: SignedInUser, { at = t, after }: { at?: TestApp; after?: string } = {}) => {
    const stream = await EventStream.open(at.address, user.bearer, after);
    open.push(stream);
    expect(stream.status).toBe(200);
    return stream;
  };
  const colleagues = new Map<string, Promise<Member>>();
  /** Sends an invitation as an Admin, which notifies the Owner. */
  const invite = async (owner: Member, { at = t, email = `s${++serial}@example.com` } = {}) => {
    const colleague = colleagues.get(owner.tenantId) ?? t.actors.member(owner, 'Admin');
    colleagues.set(owner.tenantId, colleague);
    await at.api
      .post('/tenants/current/invitations')
      .set((await colleague).bearer)
      .send({ email })
      .expect(200);
    return email;
  };
  const emailsOf = (stream: EventStream) => stream.events.map(({ data }) => data.data.email);

  it('sends new notifications as server-sent events, and no earlier ones', async () => {
    const owner = await t.actors.owner();
    await invite(owner);
    const stream = await listen(owner);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    const email = await invite(owner);
    const [event] = await stream.atLeast(1);
    const [newest] = (await t.api.get('/notifications').set(owner.bearer).expect(200)).body.data.items;
    expect(event).toEqual({ id: expect.stringMatching(/^\d+$/), event: 'notification', data: newest });
    expect(event.data.data.email).toBe(email);
    expect(stream.text).toMatch(/^retry: [2-4]\d{3}\nid: \d+\nevent: connected\ndata: {}\n\n/);
  });

  it('continues for a client that was disconnected before its first notification', async () => {
    const owner = await t.actors.owner();
    const stream = await listen(owner);
    const start = await stream.start();
    stream.close();
    const email = await invite(owner);
    const next = await listen(owner, { at: second, after: start });
    expect((await next.atLeast(1))[0].data.data.email).toBe(email);
    expect(await next.start()).toBe(start);
  });

  it('is not opened above three fifths of MAX_CONNECTIONS', async () => {
    const owner = await t.actors.owner();
    const small = await TestApp.start({ beside: t, env: { MAX_CONNECTIONS: '5' } });
    try {
      for (let n = 0; n < 2; n++) await openConnection(small);
      await listen(owner, { at: small });
      const { headers, body } = await small.api.get('/notifications/stream').set(owner.bearer).expect(503);
      expect(body.error.code).toBe('UNAVAILABLE');
      expect(headers['retry-after']).toBe('30');
      await small.api.get('/notifications').set(owner.bearer).expect(200);
    } finally {
      await small.close();
    }
  });

  it('is not opened by a HEAD request', async () => {
    const owner = await t.actors.owner();
    const { headers } = await t.api.head('/notifications/stream').set(owner.bearer).expect(200);
    expect(headers['content-type']).toContain('text/event-stream');
    expect((await t.http.get('/metrics')).text).toContain('notification_streams_open 0');
  });

  it('sends notifications stored by another instance', async () => {
    const owner = await t.actors.owner();
    const [here, there] = [await listen(owner), await listen(owner, { at: second })];
    const emails = [await invite(owner, { at: second }), await invite(owner, { at: t })];
    for (const stream of [here, there]) {
      await stream.atLeast(2);
      expect(emailsOf(stream)).toEqual(emails);
    }
  });

  it('resumes after the last event received', async () => {
    const owner = await t.actors.owner();
    const stream = await listen(owner);
    await invite(owner);
    const [{ id }] = await stream.atLeast(1);
    stream.close();
    const missed = [await invite(owner), await invite(owner)];
    const resumed = await listen(owner, { at: second, after: id });
    await resumed.atLeast(2);
    missed.push(await invite(owner));
    await resumed.atLeast(3);
    expect(emailsOf(resumed)).toEqual(missed);
  });

  it('resumes in another tenant, and after the last event was deleted', async () => {
    const owner = await t.actors.owner();
    const other = (await t.api.post('/tenants').set(owner.bearer).send({ name: 'Other' }).expect(200)).body.data;
    const stream = await listen(owner);
    await invite(owner);
    const [{ id }] = await stream.atLeast(1);
    stream.close();
    const { body } = await t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: other.id }).expect(200);
    const there = { ...owner, tenantId: other.id, bearer: { Authorization: `Bearer ${body.data.accessToken}` } };
    await invite(await t.actors.owner(), { email: owner.user.email });
    const missed = await invite(there);
    await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
    const resumed = await listen(there, { after: id });
    await resumed.atLeast(2);
    expect(resumed.events.map(({ data }) => data.kind)).toEqual(['InvitationReceived', 'MemberInvited']);
    expect(emailsOf(resumed)[1]).toBe(missed);
  });

  it('starts with the next notification after an invalid id', async () => {
    const owner = await t.actors.owner();
    await invite(owner);
    for (const after of [
      'garbage',
      '',
      '-1',
      '1e3',
      '9'.repeat(30),
      '9'.repeat(18),
      '00000000-0000-7000-8000-000000000000',
    ]) {
      const stream = await listen(owner, { after });
      const email = await invite(owner);
      await stream.atLeast(1);
      expect(emailsOf(stream)).toEqual([email]);
      stream.close();
    }
  });

  it('neither misses nor repeats any of many concurrent notifications', async () => {
    const owner = await t.actors.owner({ plan: 'Business' }); // a plan with a high daily limit
    const stream = await listen(owner);
    const emails: string[] = [];
    // invitations of a tenant run one after the other: more of them could time out
    for (let round = 0; round < 5; round++)
      emails.push(
        ...(await Promise.all(Array.from({ length: 8 }, (_, i) => invite(owner, { at: i % 2 ? t : second })))),
      );
    await stream.atLeast(40);
    expect([...emailsOf(stream)].sort()).toEqual([...emails].sort());
    expect(new Set(stream.events.map(({ id }) => id)).size).toBe(40);
    const resumed = await listen(owner, { after: stream.events[9].id });
    await resumed.atLeast(30);
    expect(resumed.events).toEqual(stream.events.slice(10));
  });

  it('sends only the notifications of its user, of the active tenant or of none', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    const elsewhere = await t.actors.owner();
    const streams = [await listen(owner), await listen(member)];
    await invite(owner, { email: elsewhere.user.email });
    await invite(elsewhere, { email: member.user.email });
    await streams[0].atLeast(1);
    await streams[1].atLeast(1);
    expect(streams.map(({ events }) => events.map(({ data }) => data.kind))).toEqual([
      ['MemberInvited'],
      ['InvitationReceived'],
    ]);
  });

  it('sends a comment as a heartbeat', async () => {
    const stream = await listen(await t.actors.owner());
    await eventually(() => stream.text.split(': heartbeat\n\n').length > 2 || undefined, 'two heartbeats');
    expect(stream.events).toEqual([]);
  });

  it('ends with the access token', async () => {
    const owner = await t.actors.owner();
    const stream = await listen(owner);
    t.clock.advance(16 * MINUTE);
    await stream.untilEnded();
    const refused = await EventStream.open(t.address, owner.bearer);
    await refused.untilEnded();
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([401, 'ACCESS_TOKEN_EXPIRED']);
    t.clock.advance(DAY);
  });

  it('ends when its user has opened ten newer streams', async () => {
    const owner = await t.actors.owner();
    const oldest = await listen(owner);
    const newer = await Promise.all(Array.from({ length: 10 }, () => listen(owner)));
    await oldest.untilEnded();
    expect(oldest.text).toContain('retry: 60000\n\n'); // reconnecting at once would end another stream
    await invite(owner);
    for (const stream of newer) await stream.atLeast(1);
  });

  it('catches up after the listening connection was lost', async () => {
    const owner = await t.actors.owner();
    const stream = await listen(owner);
    await t.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tenantry listener'`,
    );
    const email = await invite(owner);
    await stream.atLeast(1);
    expect(emailsOf(stream)).toEqual([email]);
  });

  it('ends cleanly and at once when the service stops', async () => {
    const stopping = await TestApp.start({ beside: t });
    const stream = await listen(await t.actors.owner(), { at: stopping });
    const start = performance.now();
    await stopping.close();
    await stream.untilEnded();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(stream.text).toMatch(/^retry: [2-4]\d{3}\nid: \d+\nevent: connected\ndata: {}\n\n/);
  });

  it('continues for a client that was disconnected before its first notification', async () => {
    const owner = await t.actors.owner();
    const stream = await listen(owner);
    const start = await stream.start();
    stream.close();
    const email = await invite(owner);
    const next = await listen(owner, { at: second, after: start });
    expect((await next.atLeast(1))[0].data.data.email).toBe(email);
    expect(await next.start()).toBe(start);
  });
});
