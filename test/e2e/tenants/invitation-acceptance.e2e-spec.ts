import { claimsOf, PASSWORD, type Bearer, type Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('invitations', () => {
  let t: TestApp;
  let owner: Member;
  let serial = 0;
  beforeAll(async () => {
    t = await TestApp.start();
    // a plan with a high daily limit
    owner = await t.actors.owner({ name: 'Olga', tenantName: 'Engines & Sons', plan: 'Pro' });
  });
  afterAll(() => t.close());

  const newAddress = () => `guest${++serial}@example.com`;
  const invite = (by: Bearer, body: object) => t.api.post('/tenants/current/invitations').set(by.bearer).send(body);
  const accept = (by: Bearer, token: string) => t.api.post('/invitations/accept').set(by.bearer).send({ token });
  const register = (token: string, body: object = {}) =>
    t.api.post('/invitations/register').send({ token, name: 'Guest', password: PASSWORD, ...body });
  /** An invitation sent by the Owner, with the token from the email. */
  const invited = async (email: string, roleId?: string) => {
    const { body } = await invite(owner, { email, roleId }).expect(200);
    return { id: body.data.id as string, token: await t.mailbox.token(email) };
  };

  describe('accepting', () => {
    it('makes the user with that address a member, who can then switch to the tenant', async () => {
      const guest = await t.actors.owner();
      const { token } = await invited(guest.user.email);
      const { body } = await accept(guest, token).expect(200);
      expect(body.data).toEqual({
        tenant: { id: owner.tenantId, name: 'Engines & Sons', createdAt: expect.any(String) },
        role: 'Member',
        joinedAt: expect.any(String),
      });
      expect((await t.api.get('/tenants').set(guest.bearer).expect(200)).body.data.items[1]).toMatchObject({
        tenant: body.data.tenant,
        role: 'Member',
      });
      expect(claimsOf((await t.actors.refreshed(guest)).accessToken).tenant_id).toBe(guest.tenantId);
      await t.api.post('/auth/switch-tenant').set(guest.bearer).send({ tenantId: owner.tenantId }).expect(200);
      expect(codeOf(await accept(guest, token).expect(400))).toBe('INVITATION_INVALID');
    });

    it('is refused for any other user', async () => {
      const [guest, other] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
      const { token } = await invited(guest.user.email);
      expect(codeOf(await accept(other, token).expect(403))).toBe('INVITATION_FOR_OTHER_ADDRESS');
      await t.api.post('/invitations/accept').send({ token }).expect(401);
      expect(codeOf(await accept(guest, 'guess').expect(400))).toBe('INVITATION_INVALID');
      await accept(guest, token).expect(200);
    });

    it('succeeds once under concurrent attempts', async () => {
      const guest = await t.actors.signedInUser();
      const { token } = await invited(guest.user.email);
      const responses = await Promise.all([1, 2, 3, 4, 5].map(() => accept(guest, token)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
      expect(
        await t.database.query('SELECT FROM memberships WHERE tenant_id = $1 AND user_id = $2', [
          owner.tenantId,
          guest.user.id,
        ]),
      ).toHaveLength(1);
    });

    it('is refused for a user who has become a member in the meantime', async () => {
      const guest = await t.actors.signedInUser();
      const { token } = await invited(guest.user.email);
      await t.database.query(
        `INSERT INTO memberships SELECT $1, $2, gen_random_uuid(), id, false, now() FROM roles WHERE tenant_id = $1
          AND name = 'Member'`,
        [owner.tenantId, guest.user.id],
      );
      expect(codeOf(await accept(guest, token).expect(409))).toBe('ALREADY_MEMBER');
    });
  });

  describe('registering with an invitation', () => {
    it('creates a verified account that is a signed-in member, without another email', async () => {
      const email = newAddress();
      const { token } = await invited(email, await t.actors.roleId(owner, 'Admin'));
      const { body, headers } = await register(token).expect(200);
      expect(headers['set-cookie'][0]).toContain(`refresh_token=${body.data.refreshToken};`);
      expect(claimsOf(body.data.accessToken)).toMatchObject({
        email,
        name: 'Guest',
        tenant_id: owner.tenantId,
        role: 'Admin',
      });
      const login = await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
      const me = await t.api
        .get('/auth/me')
        .set({ Authorization: `Bearer ${login.body.data.accessToken}` })
        .expect(200);
      expect(me.body.data).toMatchObject({
        user: { isEmailVerified: true },
        tenant: { id: owner.tenantId },
        role: 'Admin',
      });
      await t.mailbox.last((await invited(newAddress()), email)); // another email was sent after it
      const subjects = t.mailbox.to(email).map(({ subject }) => subject);
      expect(subjects.filter((subject) => subject !== 'New sign-in to your account')).toHaveLength(1); // the invitation
    });

    it('is refused for an address that has an account', async () => {
      const guest = await t.actors.signedInUser();
      const { token } = await invited(guest.user.email);
      expect(codeOf(await register(token).expect(409))).toBe('EMAIL_TAKEN');
      await accept(guest, token).expect(200);
    });

    it('does not use the invitation up if the password or the name is refused', async () => {
      const email = newAddress();
      const { token } = await invited(email);
      expect((await register(token, { password: 'password' }).expect(400)).body.error.details).toHaveProperty(
        'password',
      );
      expect((await register(token, { password: email }).expect(400)).body.error.details).toHaveProperty('password');
      expect((await register(token, { name: ' ' }).expect(400)).body.error.details).toHaveProperty('name');
      expect(codeOf(await register('guess').expect(400))).toBe('INVITATION_INVALID');
      await register(token).expect(200);
    });

    it('creates one account under concurrent attempts', async () => {
      const email = newAddress();
      const { token } = await invited(email);
      const responses = await Promise.all([1, 2, 3, 4].map(() => register(token)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(
        responses.filter(({ status }) => status !== 200).every(({ status }) => status === 409 || status === 400),
      ).toBe(true);
      expect(await t.database.query('SELECT FROM users WHERE email = $1', [email])).toHaveLength(1);
    });
  });
});
