import { DAY } from '../../../src/platform/clock';
import { TestApp } from '../../support/app';

describe('invitation mails of a tenant', () => {
  let t: TestApp;
  beforeAll(async () => void (t = await TestApp.start()));
  afterAll(() => t.close());

  const invite = (owner: Awaited<ReturnType<TestApp['actors']['owner']>>, email: string) =>
    t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email });
  const atOnce = async (owner: Parameters<typeof invite>[0], from: number, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => invite(owner, `guest${from + n}@example.com`)));
    return answers.map(({ status }) => status);
  };

  it('are 20 a day on the Free plan, however many are asked for at once, those sent again included', async () => {
    const owner = await t.actors.owner();
    const { body } = await invite(owner, 'first@example.com').expect(200);
    const statuses = [...(await atOnce(owner, 0, 12)), ...(await atOnce(owner, 12, 12))];
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const { id } = (body as { data: { id: string } }).data;
    const again = await t.api.post(`/tenants/current/invitations/${id}/resend`).set(owner.bearer).expect(429);
    expect(again.body.error.code).toBe('RATE_LIMITED');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(DAY - 60);
  }, 40_000);

  it('are counted anew after a day', async () => {
    const owner = await t.actors.owner();
    await t.database.query(`INSERT INTO invitation_quotas VALUES ($1, $2, 20)`, [owner.tenantId, t.clock.now()]);
    await invite(owner, 'late@example.com').expect(429);
    await t.database.query(`UPDATE invitation_quotas SET window_started_at = window_started_at - interval '1 day' WHERE tenant_id = $1`, [
      owner.tenantId,
    ]);
    await invite(owner, 'late@example.com').expect(200);
  });

  it('are not counted when the invitation was refused', async () => {
    const owner = await t.actors.owner();
    await invite(owner, 'twice@example.com').expect(200);
    await invite(owner, 'twice@example.com').expect(409);
    const [{ sent }] = await t.database.query<{ sent: number }>('SELECT sent FROM invitation_quotas WHERE tenant_id = $1', [owner.tenantId]);
    expect(sent).toBe(1);
  });

  it('are 500 a day on a paid plan', async () => {
    const owner = await t.actors.owner({ plan: 'Pro' });
    await t.database.query(`INSERT INTO invitation_quotas VALUES ($1, $2, 499)`, [owner.tenantId, t.clock.now()]);
    expect((await atOnce(owner, 100, 3)).sort()).toEqual([200, 429, 429]);
  });
});
