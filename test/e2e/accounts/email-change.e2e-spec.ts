import { IdentityProvider } from '../../../dev/identity-provider';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { Browser } from '../../support/browser';
import { EmailChanges, newAddress, wrong } from '../../support/email-changes';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsDue } from '../../support/job-queue';
import { someone } from '../../support/provider-users';
import { expectSessionEnd } from '../../support/session-end';

describe('the change of an email address', () => {
  const identityProvider = new IdentityProvider();
  const chief = 'chief@example.com';
  let t: TestApp;
  let changes: EmailChanges;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider, env: { ADMIN_EMAILS: chief } });
    changes = new EmailChanges(t);
  });
  afterAll(() => t.close());

  const logIn = (email: string) => t.api.post('/auth/login').send({ email, password: PASSWORD });
  const actionsAbout = (userId: string) =>
    t.database.query<{ action: string; data: object }>(
      `SELECT action, data FROM audit_log WHERE target_id = $1 AND action LIKE 'user.email%' ORDER BY id`,
      [userId],
    );

  it('takes place when the code of the new mailbox is entered, and signs in with the new address then', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    await changes.request(actor, ` ${email.toUpperCase()} `).expect(200);
    const code = await changes.code(email);
    expect(await changes.addressOf(actor)).toBe(actor.user.email);
    const { body } = await changes.confirm(actor, `${code.slice(0, 3)} ${code.slice(3)}`).expect(200);
    expect(body.data).toMatchObject({ id: actor.user.id, email, isEmailVerified: true });
    await logIn(email).expect(200);
    await logIn(actor.user.email).expect(401);
    expect(claimsOf((await t.actors.refreshed(actor)).accessToken).email).toBe(email);
    expect(await actionsAbout(actor.user.id)).toEqual([{ action: 'user.email-changed', data: {} }]);
    expect(codeOf(await changes.confirm(actor, code).expect(401))).toBe('EMAIL_CODE_INVALID');
  });

  it('ends the other sessions, open links and codes, but not the session that changes it', async () => {
    const actor = await t.actors.signedInUser();
    const elsewhere = await t.actors.signIn(actor.user.email);
    await t.api.post('/auth/magic-link/request').send({ email: actor.user.email }).expect(200);
    await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
    const tokens = await t.mailbox.tokens(actor.user.email, 2);
    await changes.change(actor, actor.user.email, newAddress());
    await t.api.get('/auth/me').set(actor.bearer).expect(200);
    await expectSessionEnd(() => t.api.get('/auth/me').set(elsewhere.bearer));
    await t.api.post('/auth/refresh').send({ refreshToken: elsewhere.refreshToken }).expect(401);
    for (const token of tokens) {
      await t.api.post('/auth/magic-link/verify').send({ token }).expect(400);
      expect(codeOf(await t.api.post('/auth/password/check-link').send({ token }))).toBe('RESET_TOKEN_INVALID');
    }
  });

  it('tells the new mailbox nothing about the account, and the old one nothing about the new address', async () => {
    const actor = await t.actors.signedInUser({ name: 'Call 555 1234' });
    const email = newAddress();
    const firefox = 'Firefox/130.0 (Windows NT 10.0)';
    await changes.request(actor, email).set('User-Agent', firefox).expect(200);
    const code = await changes.code(email);
    const [{ subject, text, html }] = t.mailbox.to(email);
    expect(text).toContain('Firefox on Windows');
    expect(subject + text + html).not.toContain('555');
    await changes.confirm(actor, code).set('User-Agent', firefox).expect(200);
    await changes.token(actor.user.email);
    const [told] = t.mailbox.to(actor.user.email);
    expect(told.text).toMatch(/^Hi Call 555 1234,/);
    expect(told.text).toContain('Firefox on Windows');
    expect(told.text + told.html).not.toContain(email);
  });

  it('is refused for the same address, one of a verified account, and none', async () => {
    const actor = await t.actors.signedInUser();
    const taken = await t.actors.user();
    const same = await changes.request(actor, actor.user.email.toUpperCase()).expect(400);
    expect(same.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { email: [expect.any(String)] } });
    expect(codeOf(await changes.request(actor, taken.email).expect(409))).toBe('EMAIL_TAKEN');
    expect(codeOf(await changes.request(actor, 'nonsense').expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await changes.confirm(actor, '12345').expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await changes.confirm(actor, '123456').expect(401))).toBe('EMAIL_CODE_INVALID');
    await untilNoJobIsDue(t);
    expect(t.mailbox.to(taken.email)).toEqual([]);
  });

  it('needs a live session, a fresh proof of the identity, and no impersonation', async () => {
    const actor = await t.actors.signedInUser();
    const acting = await t.actors.impersonating(await t.actors.admin(), actor);
    for (const refused of [changes.request(acting, newAddress()), changes.confirm(acting, '123456')])
      expect(codeOf(await refused.expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    t.clock.advance(10 * MINUTE + 1);
    const older = await t.actors.refreshed(actor);
    const email = newAddress();
    expect(codeOf(await changes.request(older, email).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.actors.stepUp(older);
    await changes.request(older, email).expect(200);
    const code = await changes.code(email);
    await t.api.post('/auth/logout').send({ refreshToken: older.refreshToken }).expect(200);
    for (const ended of [changes.request(older, email), changes.confirm(older, code)])
      expect(codeOf(await ended.expect(401))).toBe('SESSION_ENDED');
  });

  it('takes a code for ten minutes, three times tried at most, and only the newest one', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    await changes.request(actor, email).expect(200);
    const first = await changes.code(email);
    await changes.request(actor, email).expect(200);
    const second = await changes.code(email, 2);
    if (first !== second) await changes.confirm(actor, first).expect(401);
    await changes.confirm(actor, wrong(second)).expect(401);
    await changes.confirm(actor, wrong(second)).expect(401);
    expect(codeOf(await changes.confirm(actor, second).expect(401))).toBe('EMAIL_CODE_INVALID');
    await changes.request(actor, email).expect(200);
    const third = await changes.code(email, 3);
    t.clock.advance(10 * MINUTE);
    const later = await t.actors.refreshed(actor);
    expect(codeOf(await changes.confirm(later, third).expect(401))).toBe('EMAIL_CODE_INVALID');
    expect(await changes.addressOf(actor)).toBe(actor.user.email);
  });

  it('deletes an unverified account that has the address, with its workspace and links', async () => {
    const email = newAddress();
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Early' }).expect(201);
    const token = await t.mailbox.token(email);
    const [early] = await t.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    const actor = await t.actors.signedInUser();
    await changes.change(actor, actor.user.email, email);
    expect(await changes.addressOf(actor)).toBe(email);
    expect(await t.database.query('SELECT FROM memberships WHERE user_id = $1', [early.id])).toEqual([]);
    await t.api.get('/auth/verify-email').query({ token }).expect(400);
    const audited = `SELECT data FROM audit_log WHERE target_id = $1 AND action = 'user.deleted'`;
    expect(await t.database.query(audited, [early.id])).toEqual([{ data: { reason: 'mailbox-claimed' } }]);
  });

  it('sends the code also to an address that the mail server has rejected lately', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    const suppress = 'INSERT INTO suppressed_addresses (address, until, reason) VALUES ($1, $2, $3)';
    await t.database.query(suppress, [email, new Date(t.clock.now().getTime() + 9_000_000), '550 full']);
    await changes.request(actor, email).expect(200);
    await changes.confirm(actor, await changes.code(email)).expect(200);
  });

  it('is refused if a disabled account has the address, whose ban would end otherwise', async () => {
    const disabled = await t.actors.user({ isEmailVerified: false, disabledAt: t.clock.now() });
    const actor = await t.actors.signedInUser();
    expect(codeOf(await changes.request(actor, disabled.email).expect(409))).toBe('EMAIL_TAKEN');
  });

  it('is refused if another account has proven the address since the code was sent', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    await changes.request(actor, email).expect(200);
    const code = await changes.code(email);
    await t.actors.user({ email });
    expect(codeOf(await changes.confirm(actor, code).expect(409))).toBe('EMAIL_TAKEN');
    expect(await changes.addressOf(actor)).toBe(actor.user.email);
    await t.api.get('/auth/me').set(actor.bearer).expect(200);
  });

  it('gives and takes the admin access of ADMIN_EMAILS with the next token', async () => {
    const actor = await t.actors.signedInUser();
    await changes.change(actor, actor.user.email, chief);
    const chiefNow = await t.actors.refreshed(actor);
    expect(claimsOf(chiefNow.accessToken).is_admin).toBe(true);
    const { body } = await t.api.get('/auth/me').set(chiefNow.bearer).expect(200);
    expect(body.data.user.isAdmin).toBe(true);
    await changes.change(chiefNow, chief, newAddress());
    expect(claimsOf((await t.actors.refreshed(chiefNow)).accessToken).is_admin).toBe(false);
  });

  it('keeps the second factor, the password and linked providers, which are found by their own id', async () => {
    const account = someone();
    const { accessToken } = await new Browser(t).signIn('google', account);
    const linked = { bearer: bearer(accessToken) };
    const email = newAddress();
    await changes.request(linked, email).expect(200);
    await changes.confirm(linked, await changes.code(email)).expect(200);
    const again = await new Browser(t).signIn('google', account);
    expect(claimsOf(again.accessToken)).toMatchObject({ sub: claimsOf(accessToken).sub, email });
    const actor = await t.actors.signedInUser();
    await AuthenticatorApp.enrol(t, actor);
    const next = newAddress();
    await changes.change(actor, actor.user.email, next);
    const { body } = await logIn(next).expect(200);
    expect(body.data.secondFactor.methods).toEqual(['totp', 'recovery-code']);
  });

  it('counts for invitations: those to the new address can be accepted, those to the earlier one no more', async () => {
    const owner = await t.actors.owner();
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    const invite = async (address: string) => {
      await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email: address }).expect(200);
      const mails = () => t.mailbox.to(address).find(({ text }) => text.includes('/invitation'));
      await untilNoJobIsDue(t);
      return /token=([\w-]+)/.exec(mails()!.text)![1];
    };
    const [early, late] = [await invite(actor.user.email), await invite(email)];
    await changes.change(actor, actor.user.email, email);
    const accept = (token: string) => t.api.post('/invitations/accept').set(actor.bearer).send({ token });
    expect(codeOf(await accept(early).expect(403))).toBe('INVITATION_FOR_OTHER_ADDRESS');
    await accept(late).expect(200);
  });
});
