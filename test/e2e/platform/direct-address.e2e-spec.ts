import { TcpProxy } from '../../../dev/tcp-proxy';
import { JobWorker } from '../../../src/platform/jobs/job-worker';
import { TestApp } from '../../support/app';
import { EventStream } from '../../support/event-stream';
import { eventually } from '../../support/eventually';
import { NotificationBlockingProxy } from '../../support/notification-blocking-proxy';

/** DATABASE_DIRECT_URL: the connections that keep state avoid a pooler. */
describe('DATABASE_DIRECT_URL', () => {
  it('carries notifications to streams while DATABASE_URL is a pooler in transaction mode', async () => {
    const first = await TestApp.start({ env: { WORKER: 'off' } });
    const pooler = await NotificationBlockingProxy.start(first.database.url);
    const t = await TestApp.start({
      beside: first,
      env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: first.database.url },
    });
    const owner = await t.actors.owner();
    const admin = await t.actors.member(owner, 'Admin');
    const stream = await EventStream.open(t.address, owner.bearer);
    await t.api.post('/tenants/current/invitations').set(admin.bearer).send({ email: 'new@example.com' }).expect(200);
    expect((await stream.atLeast(1))[0].data.kind).toBe('MemberInvited');
    expect(t.logLines.join()).not.toContain('database.listen_failed');
    stream.close();
    await t.close();
    await pooler.close();
    await first.close();
  });

  it('is the address of the job worker, while requests use DATABASE_URL', async () => {
    const first = await TestApp.start({ env: { WORKER: 'off' } });
    const direct = await TcpProxy.start(first.database.url);
    const t = await TestApp.start({ beside: first, env: { DATABASE_DIRECT_URL: direct.url, LOG_LEVEL: 'fatal' } });
    const worker = t.nest.get(JobWorker);
    await eventually(() => worker.state === 'running' || undefined, 'the worker');
    await direct.close();
    await eventually(() => worker.state === 'starting' || undefined, 'the end of the worker');
    await t.actors.signedInUser();
    await direct.listen();
    await eventually(() => worker.state === 'running' || undefined, 'the worker');
    await t.close();
    await direct.close();
    await first.close();
  });
});
