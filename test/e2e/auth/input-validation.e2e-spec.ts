import { CanonicalAddresses1765030000000 } from '../../../migrations/1765030000000-canonical-addresses';
import { Database } from '../../../src/platform/database/database';
import { PASSWORD, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('input validation', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const register = (wanted: object) =>
    t.api.post('/auth/register').send({ email: 'new@example.com', password: PASSWORD, name: 'Ada', ...wanted });
  const logIn = (email: string) => t.api.post('/auth/login').send({ email, password: PASSWORD });

  describe('reports all invalid fields in one response', () => {
    const detailsOf = async (request: ReturnType<typeof register>) =>
      (await request.expect(400)).body.error.details as Record<string, string[]>;

    it('of a registration', async () => {
      expect(await detailsOf(register({ email: 'no address', password: 'short', name: ' ' }))).toEqual({
        email: ['must be an email address'],
        password: ['must be 8 to 128 characters long'],
        name: ['must be 1 to 100 characters long'],
      });
      expect(
        await detailsOf(register({ email: 'ada.lovelace@example.com', password: 'Ada.Lovelace1', name: '' })),
      ).toEqual({
        password: ['must not be based on the email address'],
        name: ['must be 1 to 100 characters long'],
      });
      expect(await detailsOf(register({ email: 5, password: 7 }))).toEqual({
        email: ['must be an email address'],
        password: ['must be a string'],
      });
    });

    it.each([
      ['post', '/auth/password/reset', { token: '', password: 'PASSWORD' }, ['password', 'token']],
      ['put', '/auth/password', { currentPassword: '', newPassword: '        ' }, ['currentPassword', 'newPassword']],
      ['post', '/invitations/register', { token: '', name: '', password: 'aaaaaaaaaa' }, ['name', 'password', 'token']],
    ] as const)('%s %s', async (method, path, body, fields) => {
      expect(Object.keys(await detailsOf(t.api[method](path).set(owner.bearer).send(body))).sort()).toEqual(fields);
    });
  });

  describe('of an email address', () => {
    it('normalizes its domain', async () => {
      const user = await t.actors.user({ email: 'ada@xn--mnchen-3ya.example' });
      for (const email of ['Ada@MÜNCHEN.example', 'ada@mu\u0308nchen.example', 'ada@XN--mnchen-3ya.example']) {
        expect((await register({ email }).expect(409)).body.error.code).toBe('EMAIL_TAKEN');
        await logIn(email).expect(200);
        await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
        const { body } = await t.api.get('/tenants/current/invitations').set(owner.bearer).expect(200);
        expect(body.data.items).toMatchObject([{ email: user.email }]);
        await t.api.delete(`/tenants/current/invitations/${body.data.items[0].id}`).set(owner.bearer).expect(200);
      }
    });

    it.each([
      '"a\r\nBcc: x"@example.test',
      '"dup"@example.com',
      'a b@example.com',
      'ada\u200b@example.com',
      '\u212Aelvin@example.com',
      '\uff41da@example.com',
      'ada\u034f@example.com',
      '\u3164@example.com',
    ])('refuses %j on all routes', async (email) => {
      const invite = t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email });
      for (const request of [
        register({ email }),
        logIn(email),
        t.api.post('/auth/password/forgot').send({ email }),
        invite,
      ]) {
        expect((await request.expect(400)).body.error.details).toHaveProperty('email');
      }
    });

    it('migrates a stored address to the normalized form, unless that has an account already', async () => {
      const [old, taken] = [
        await t.actors.user({ email: 'old@bücher.example' }),
        await t.actors.user({ email: 'two@bücher.example' }),
      ];
      await t.actors.user({ email: 'two@xn--bcher-kva.example' });
      const runner = t.nest.get(Database).manager.connection.createQueryRunner();
      await runner.startTransaction();
      await new CanonicalAddresses1765030000000().up(runner);
      await runner.commitTransaction();
      await runner.release();
      const emailOf = async (id: string) =>
        (await t.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]))[0].email;
      expect([await emailOf(old.id), await emailOf(taken.id)]).toEqual(['old@xn--bcher-kva.example', taken.email]);
      await logIn('old@bücher.example').expect(200);
    });
  });

  describe('of a name', () => {
    const REASONS = /invisible|addresses|control|scripts|a letter, a digit/;
    const permissions = ['tenant.projects.read'];
    const named = (name: string) => [
      register({ name }),
      t.api.patch('/users/me').set(owner.bearer).send({ name }),
      t.api.post('/tenants').set(owner.bearer).send({ name }),
      t.api.patch('/tenants/current').set(owner.bearer).send({ name }),
      t.api.post('/tenants/current/roles').set(owner.bearer).send({ name, permissions }),
      t.api.post('/invitations/register').send({ name, token: 'x', password: PASSWORD }),
    ];
    const labeled = (name: string) => [
      t.api.post('/tenants/current/projects').set(owner.bearer).send({ name }),
      t.api.post('/tenants/current/service-accounts').set(owner.bearer).send({ name, permissions }),
      t.api.post('/users/me/tokens').set(owner.bearer).send({ name, permissions, expiresAt: '2099-01-31T00:00:00Z' }),
    ];

    it.each([
      'Owner\u200b',
      '\u202eAda',
      'Pay at https://evil.example',
      'www.evil.example',
      'Ada\u2028Lovelace',
      '\u3164',
      '\u2800',
      '\u115f',
      'Team\u034f',
      'Pаyroll',
      '...',
    ])('refuses %j', async (name) => {
      for (const request of [...named(name), ...labeled(name)]) {
        const { body } = await request.expect(400);
        expect(body.error.details).toMatchObject({ name: [expect.stringMatching(REASONS)] });
      }
    });

    it('refuses a domain, unless only the tenant sees it', async () => {
      for (const request of named('Payroll: confirm at evil.com/login'))
        expect((await request.expect(400)).body.error.details.name).toEqual([expect.stringMatching(/web addresses/)]);
      const [project] = labeled('booking.com');
      await project.expect(200);
    });

    it('refuses invisible characters in the description of a receiver', async () => {
      const body = { url: 'https://203.0.113.7/', description: 'a\u200bb' };
      const answer = await t.api.post('/tenants/current/webhooks').set(owner.bearer).send(body).expect(400);
      expect(answer.body.error.details.description).toEqual([expect.stringMatching(/invisible/)]);
    });

    it('accepts any alphabet, and normalizes its composition', async () => {
      for (const name of ['山田 太郎', 'عائشة', "Renée O'Hara", '🐴 & Sons', 'کتاب\u200cها', '👩\u200d👧', 'Dr. Smith'])
        await t.api.patch('/users/me').set(owner.bearer).send({ name }).expect(200);
      const role = (name: string) =>
        t.api
          .post('/tenants/current/roles')
          .set(owner.bearer)
          .send({ name, permissions: ['tenant.projects.read'] });
      await role('Ren\u00e9e').expect(200);
      expect((await role('Rene\u0301e').expect(409)).body.error.code).toBe('ROLE_NAME_TAKEN');
      expect((await role('Ｒenée').expect(409)).body.error.code).toBe('ROLE_NAME_TAKEN');
    });
  });
});
