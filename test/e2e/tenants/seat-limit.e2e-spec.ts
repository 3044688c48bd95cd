import type { Bearer, Member, SignedInUser } from '../../support/actors';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Entitlements } from '../../support/entitlement-overrides';
import { codeOf } from '../../support/error-code';

describe('the seats of a tenant', () => {
  let t: TestApp;
  let second: TestApp;
  let entitlements: Entitlements;
  beforeAll(async () => {
    t = await TestApp.start();
    second = await TestApp.start({ beside: t });
    entitlements = new Entitlements(t);
  });
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  let count = 0;
  const invite = (by: Bearer, email = `guest${++count}@example.com`, app = t) =>
    app.api.post('/tenants/current/invitations').set(by.bearer).send({ email });
  const accept = async (guest: SignedInUser, app = t) =>
    app.api
      .post('/invitations/accept')
      .set(guest.bearer)
      .send({ token: await t.mailbox.token(guest.user.email) });
  const register = async (email: string) =>
    t.api
      .post('/invitations/register')
      .send({ token: await t.mailbox.token(email), name: 'Guest', password: PASSWORD });
  /** The Owner of a tenant with some seats, and users whom it has invited while it had more. */
  const withInvited = async (seats: number, guests: number): Promise<{ owner: Member; invited: SignedInUser[] }> => {
    const owner = await t.actors.owner();
    await entitlements.giveSeats(owner);
    const invited = await Promise.all(Array.from({ length: guests }, () => t.actors.signedInUser()));
    for (const { user } of invited) await invite(owner, user.email).expect(200);
    await entitlements.giveSeats(owner, seats);
    return { owner, invited };
  };
  const members = async ({ tenantId }: Member) =>
    (await t.database.query('SELECT FROM memberships WHERE tenant_id = $1', [tenantId])).length;

  it('are 10 on Free, for members and pending invitations: one more is 402 with the plans that have more', async () => {
    const owner = await t.actors.owner();
    await t.actors.member(owner);
    for (let i = 0; i < 8; i++) await invite(owner).expect(200);
    expect((await invite(owner).expect(402)).body.error).toEqual({
      code: 'SEAT_LIMIT',
      message: 'All seats of this tenant are taken. Upgrade its plan, or remove a member or an invitation.',
      details: { entitlement: ['seats'], limit: ['10'], used: ['10'], requiredPlan: ['Pro', 'Business'] },
    });
    await entitlements.override(owner, { plan: 'Pro' });
    await invite(owner).expect(200);
  });

  it('are free again after a revocation, and when an invitation expires', async () => {
    const owner = await t.actors.owner();
    await entitlements.giveSeats(owner, 2);
    const { id } = (await invite(owner).expect(200)).body.data as { id: string };
    await invite(owner).expect(402);
    await t.api.delete(`/tenants/current/invitations/${id}`).set(owner.bearer).expect(200);
    const { id: expired } = (await invite(owner).expect(200)).body.data as { id: string };
    t.clock.advance(8 * 86_400);
    const again = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await entitlements.giveSeats(owner, 2);
    await invite(again).expect(200);
    const resent = await t.api.post(`/tenants/current/invitations/${expired}/resend`).set(again.bearer);
    expect([resent.status, codeOf(resent)]).toEqual([402, 'SEAT_LIMIT']);
  });

  it('are not exceeded by invitations at the same time, on two instances', async () => {
    const owner = await t.actors.owner();
    const sent = await Promise.all(
      Array.from({ length: 16 }, (_, i) => invite(owner, `race${i}@example.com`, i % 2 ? t : second)),
    );
    const statuses = sent.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.filter((status) => status === 402)).toHaveLength(7);
  });

  it('are counted again when invitations are accepted, also at the same time', async () => {
    const { owner, invited } = await withInvited(3, 5);
    const answers = await Promise.all(invited.map((guest, i) => accept(guest, i % 2 ? t : second)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402, 402]);
    expect(answers.filter(({ status }) => status === 402).map(codeOf)).toEqual(Array(3).fill('SEAT_LIMIT'));
    expect(await members(owner)).toBe(3);
    const refused = invited[answers.findIndex(({ status }) => status === 402)];
    await entitlements.giveSeats(owner, 4);
    expect((await accept(refused)).status).toBe(200);
  });

  it('are counted again when an account is created with an invitation', async () => {
    const owner = await t.actors.owner();
    const [first, other] = ['first.guest@example.com', 'other.guest@example.com'];
    for (const email of [first, other]) await invite(owner, email).expect(200);
    await entitlements.giveSeats(owner, 2);
    expect((await register(first)).status).toBe(200);
    const refused = await register(other);
    expect([refused.status, codeOf(refused)]).toEqual([402, 'SEAT_LIMIT']);
    expect(await t.database.query('SELECT FROM users WHERE email = $1', [other])).toHaveLength(0);
  });

  it('leave members above a lower limit as they are, and let no more join or be invited', async () => {
    const { owner, invited } = await withInvited(2, 1);
    for (let i = 0; i < 3; i++) await t.actors.member(owner);
    await invite(owner).expect(402);
    expect((await accept(invited[0])).status).toBe(402);
    const { items } = (await t.api.get('/tenants/current/members').set(owner.bearer).expect(200)).body.data as {
      items: object[];
    };
    expect(items).toHaveLength(4);
    expect(await entitlements.named(owner, 'seats')).toMatchObject({ limit: 2, used: 4, pending: 1 });
  });

  it('are unlimited on Business, and an address of a member is 409 before it is 402', async () => {
    const owner = await t.actors.owner({ plan: 'Business' });
    for (let i = 0; i < 11; i++) await invite(owner).expect(200);
    await entitlements.giveSeats(owner, 1);
    expect(codeOf(await invite(owner, owner.user.email).expect(409))).toBe('ALREADY_MEMBER');
  });
});
