import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

interface Job {
  readonly id: string;
  readonly task: string;
  readonly state: string;
  readonly error: string | null;
  readonly attempts: number;
}

describe('the job queue for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterEach(() => t.database.query('DELETE FROM graphile_worker._private_jobs'));
  afterAll(() => t.close());

  const list = async (query: object = {}): Promise<{ items: Job[]; nextCursor: string | null }> =>
    (await t.api.get('/admin/jobs').query(query).set(admin.bearer).expect(200)).body.data;
  const retry = (id: string) => t.api.post(`/admin/jobs/${id}/retry`).set(admin.bearer);
  const remove = (id: string) => t.api.delete(`/admin/jobs/${id}`).set(admin.bearer);
  /** Enqueues a job and puts it into a state. */
  const job = async (set = 'attempts = 0', email = 'nobody@example.com'): Promise<string> => {
    await t.nest.get(Jobs).enqueue(new SendLinkMail(email, 'magic-link'));
    const [{ id }] = await t.database.query<{ id: string }>(
      `UPDATE graphile_worker._private_jobs SET ${set} WHERE id = (SELECT max(id) FROM graphile_worker._private_jobs)
        RETURNING id`,
    );
    return id;
  };
  const dead = () => job(`attempts = max_attempts, last_error = 'UNAVAILABLE: the mail server is down'`);
  const running = () => job(`locked_at = now(), locked_by = 'worker', attempts = 1`);
  const auditOf = (id: string) =>
    t.database.query(
      `SELECT action, actor_id AS "actorId", data FROM audit_log WHERE target_type = 'job' AND target_id = $1`,
      [id],
    );

  it('lists every job with its command, state and error', async () => {
    const id = await dead();
    expect((await list()).items).toEqual([
      {
        id,
        task: 'send-link-mail',
        state: 'dead',
        attempts: 25,
        maxAttempts: 25,
        error: 'UNAVAILABLE: the mail server is down',
        key: null,
        runAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
        startedAt: null,
        command: { email: 'nobody@example.com', purpose: 'magic-link' },
        requestId: expect.any(String),
      },
    ]);
  });

  it('is filtered by state and by task', async () => {
    const made = {
      waiting: await job(),
      retrying: await job('attempts = 3'),
      running: await running(),
      dead: await dead(),
    };
    for (const [state, id] of Object.entries(made)) {
      expect((await list({ state })).items.map((item) => [item.id, item.state])).toEqual([[id, state]]);
    }
    expect((await list({ task: 'send-link-mail', state: 'dead' })).items).toHaveLength(1);
    expect((await list({ task: 'something-else' })).items).toEqual([]);
    for (const query of [{ state: 'lost' }, { limit: 0 }, { cursor: 'x' }]) {
      expect(codeOf(await t.api.get('/admin/jobs').query(query).set(admin.bearer).expect(400))).toBe(
        'VALIDATION_ERROR',
      );
    }
  });

  it('is listed page by page, newest first; a forged cursor is harmless', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift(await job());
    const first = await list({ limit: 2 });
    await job();
    const second = await list({ limit: 2, cursor: first.nextCursor });
    const third = await list({ limit: 2, cursor: second.nextCursor });
    expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(made);
    expect(third.nextCursor).toBeNull();
    expect((await list({ cursor: '_'.repeat(22) })).items).toHaveLength(6);
  });

  it('retries a job with all its attempts, even a dead one, and records it', async () => {
    for (const id of [await dead(), await job(`attempts = 3, run_at = now() + interval '1 hour'`)]) {
      expect((await retry(id).expect(200)).body).toEqual({ success: true, data: null });
      const found = (await list()).items.find((item) => item.id === id)!;
      expect([found.state, found.attempts]).toEqual(['waiting', 0]);
      expect(await auditOf(id)).toEqual([
        { action: 'job.retried', actorId: admin.user.id, data: { task: 'send-link-mail' } },
      ]);
    }
  });

  it('deletes a job and records it', async () => {
    const id = await dead();
    await remove(id).expect(200);
    expect((await list()).items).toEqual([]);
    expect(await auditOf(id)).toEqual([
      { action: 'job.deleted', actorId: admin.user.id, data: { task: 'send-link-mail' } },
    ]);
    expect(codeOf(await remove(id).expect(404))).toBe('NOT_FOUND');
  });

  describe('bulk changes', () => {
    const change = (what: string, ids: unknown, by = admin) =>
      t.api.post(`/admin/jobs/${what}`).set(by.bearer).send({ ids });

    it('retry jobs together, report each outcome and record each change', async () => {
      const [one, busy, other] = [
        await dead(),
        await running(),
        await job(`attempts = 3, run_at = now() + interval '1 hour'`),
      ];
      const { body } = await change('retry', [other, '999999999999999999', one, busy, one, `00${other}`]).expect(200);
      expect(body.data).toEqual({ changed: [other, one], running: [busy], missing: ['999999999999999999'] });
      expect((await list()).items.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
        [other, 'waiting', 0],
        [busy, 'running', 1],
        [one, 'waiting', 0],
      ]);
      for (const id of [one, other])
        expect(await auditOf(id)).toEqual([
          { action: 'job.retried', actorId: admin.user.id, data: { task: 'send-link-mail' } },
        ]);
      expect(await auditOf(busy)).toEqual([]);
    });

    it('delete jobs together, except running ones', async () => {
      const [one, busy, other] = [await dead(), await running(), await job()];
      expect((await change('delete', [one, busy, other]).expect(200)).body.data).toEqual({
        changed: [one, other],
        running: [busy],
        missing: [],
      });
      expect((await list()).items).toMatchObject([{ id: busy }]);
      for (const id of [one, other]) expect(await auditOf(id)).toMatchObject([{ action: 'job.deleted' }]);
      expect((await change('delete', [one]).expect(200)).body.data).toEqual({
        changed: [],
        running: [],
        missing: [one],
      });
    });

    it('take 1 to 100 job numbers and report an invalid one by its position', async () => {
      const id = await dead();
      for (const what of ['retry', 'delete']) {
        for (const ids of [undefined, null, 'x', {}, [], Array.from({ length: 101 }, (_, i) => String(i))]) {
          expect(Object.keys((await change(what, ids).expect(400)).body.error.details as object)).toEqual(['ids']);
        }
        const { error } = (await change(what, [id, 'x', 1, null, '-1', '9999999999999999999']).expect(400)).body;
        expect([error.code, Object.keys(error.details as object)]).toEqual([
          'VALIDATION_ERROR',
          ['ids.1', 'ids.2', 'ids.3', 'ids.4', 'ids.5'],
        ]);
        const nobodys = Array.from({ length: 100 }, (_, i) => `1${String(i).padStart(17, '0')}`);
        expect((await change(what, nobodys).expect(200)).body.data.missing).toEqual(nobodys);
      }
      expect((await list()).items).toMatchObject([{ id, state: 'dead' }]);
    });

    it('apply once when two operators change the same jobs at the same time, in any order', async () => {
      const ids = [await dead(), await dead(), await dead(), await dead()];
      const responses = await Promise.all([change('delete', ids), change('delete', [...ids].reverse())]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(responses.flatMap(({ body }) => body.data.changed as string[]).sort()).toEqual(ids);
      for (const id of ids) expect(await auditOf(id)).toHaveLength(1);
    });

    it('are refused if the admin flag was revoked after the token was issued', async () => {
      const former = await t.actors.admin();
      await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
      const id = await dead();
      for (const what of ['retry', 'delete'])
        expect(codeOf(await change(what, [id], former).expect(403))).toBe('FORBIDDEN');
      expect((await list()).items).toMatchObject([{ id, state: 'dead' }]);
    });
  });

  it('shows a job as the list does, and responds with 404 to an unknown one', async () => {
    const id = await dead();
    const get = (which: string) => t.api.get(`/admin/jobs/${which}`).set(admin.bearer);
    expect((await get(id).expect(200)).body.data).toEqual((await list()).items[0]);
    expect(codeOf(await get('999999999999999999').expect(404))).toBe('NOT_FOUND');
    for (const none of ['x', '-1', '9999999999999999999'])
      expect(codeOf(await get(none).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('counts the jobs of each task by state, ordered by task', async () => {
    const queues = async () => (await t.api.get('/admin/jobs/queues').set(admin.bearer).expect(200)).body.data;
    expect(await queues()).toEqual({ items: [], nextCursor: null });
    for (const make of [dead, dead, running, () => job(), () => job('attempts = 2')]) await make();
    await t.nest.get(Jobs).enqueue(new PurgeExpired());
    expect(await queues()).toEqual({
      items: [
        { task: 'purge-expired', waiting: 1, running: 0, retrying: 0, dead: 0 },
        { task: 'send-link-mail', waiting: 1, running: 1, retrying: 1, dead: 2 },
      ],
      nextCursor: null,
    });
  });

  it('refuses to change a running job and invalid numbers', async () => {
    const id = await running();
    for (const change of [retry, remove]) {
      expect(codeOf(await change(id).expect(409))).toBe('CONFLICT');
      expect(codeOf(await change('999999999999999999').expect(404))).toBe('NOT_FOUND');
      for (const none of ['x', '-1', '1.5', '9999999999999999999'])
        expect(codeOf(await change(none).expect(400))).toBe('VALIDATION_ERROR');
    }
    expect((await list()).items).toMatchObject([{ id, state: 'running' }]);
    expect(await auditOf(id)).toEqual([]);
  });

  it('refuses changes if the admin flag was revoked after the token was issued', async () => {
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    const id = await dead();
    expect(codeOf(await t.api.post(`/admin/jobs/${id}/retry`).set(former.bearer).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await t.api.delete(`/admin/jobs/${id}`).set(former.bearer).expect(403))).toBe('FORBIDDEN');
    expect((await list()).items).toMatchObject([{ id, state: 'dead' }]);
  });

  it('retries all failed jobs of a task within a minute, and records it once', async () => {
    const task = 'send-link-mail';
    const retryAll = (body: object) => t.api.post('/admin/jobs/retry-all').set(admin.bearer).send(body);
    const [gone, failed, busy] = [
      await dead(),
      await job(`attempts = 3, run_at = now() + interval '6 hours'`),
      await running(),
    ];
    const replaced = await job(`attempts = max_attempts, key = NULL, payload = '{"command":{},"isKeyed":true}'`);
    expect((await retryAll({ task: 'purge-expired' }).expect(200)).body.data).toEqual({ count: 0 });
    expect((await retryAll({ task }).expect(200)).body.data).toEqual({ count: 2 });
    const rows = await t.database.query<{ id: string; attempts: number }>(
      `SELECT id::text, attempts FROM graphile_worker._private_jobs WHERE run_at <= now() + interval '1 minute'
          AND attempts = 0 ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual([gone, failed]);
    expect((await list()).items).toMatchObject([
      { id: replaced, state: 'dead' },
      { id: busy, state: 'running' },
      {},
      {},
    ]);
    const recorded = await t.database.query(`SELECT data FROM audit_log WHERE action = 'job.task-retried'`);
    expect(recorded).toEqual([{ data: { count: 2 } }]);
    expect(codeOf(await retryAll({}).expect(400))).toBe('VALIDATION_ERROR');
    const user = await t.actors.signedInUser();
    expect(codeOf(await retryAll({ task }).set(user.bearer).expect(403))).toBe('FORBIDDEN');
  });

  it('runs a dead job when it is retried', async () => {
    const { email } = await t.actors.user();
    const id = await job('attempts = max_attempts', email);
    const worker = await TestApp.start({ beside: t });
    await retry(id).expect(200);
    expect((await t.mailbox.last(email)).subject).toBe('Your sign-in link');
    await eventually(async () => (await list()).items.length === 0 || undefined, 'an empty queue');
    await worker.close();
  });
});
