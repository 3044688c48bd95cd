import { IdentityProvider } from '../../../dev/identity-provider';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, PASSWORD, type Bearer, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { codeOf } from '../../support/error-code';
import { someone } from '../../support/provider-users';

describe('confirming the identity', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const stepUp = (by: Bearer, body: object) => t.api.post('/auth/step-up').set(by.bearer).send(body);
  const methods = async (by: Bearer) => (await t.api.get('/auth/step-up').set(by.bearer).expect(200)).body.data.methods;
  /** Whether a protected operation is allowed. */
  const isFresh = async (by: Bearer) => (await t.api.post('/auth/factors/totp').set(by.bearer)).status !== 403;
  /** A session that is more than ten minutes old. */
  const older = async <A extends SignedInUser>(actor: A): Promise<A> => {
    t.clock.advance(10 * MINUTE + 1);
    const refreshed = await t.actors.refreshed(actor);
    expect(await isFresh(refreshed)).toBe(false);
    return refreshed;
  };

  it('with the password allows protected operations for ten minutes, in this session only', async () => {
    const actor = await t.actors.signedInUser();
    const [elsewhere, own] = [await t.actors.signIn(actor.user.email), await older(actor)];
    expect(await methods(own)).toEqual(['password']);
    expect(codeOf(await stepUp(own, { password: 'wrong' }).expect(401))).toBe('INVALID_CREDENTIALS');
    expect(await isFresh(own)).toBe(false);
    await stepUp(own, { password: PASSWORD }).expect(200);
    expect(await isFresh(own)).toBe(true);
    expect(await isFresh(elsewhere)).toBe(false);
    await older(own);
  });

  it('needs the second factor if the account has one', async () => {
    const actor = await t.actors.signedInUser();
    const app = await AuthenticatorApp.enrol(t, actor);
    const own = await older(actor);
    expect(await methods(own)).toEqual(['totp', 'recovery-code']);
    for (const body of [{ password: PASSWORD }, { emailCode: '123456' }, {}])
      expect(codeOf(await stepUp(own, body).expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await stepUp(own, { code: '000000' }).expect(401))).toBe('SECOND_FACTOR_INVALID');
    const code = app.nextCode();
    await stepUp(own, { code }).expect(200);
    expect(codeOf(await stepUp(own, { code }).expect(401))).toBe('SECOND_FACTOR_INVALID');
    const refreshed = await t.actors.refreshed(own);
    expect(await isFresh(refreshed)).toBe(true);
    await stepUp(await older(refreshed), { recoveryCode: app.recoveryCodes[0] }).expect(200);
  });

  it('needs an emailed code if the account has neither a password nor a factor', async () => {
    const account = someone();
    const { accessToken, refreshToken } = await new Browser(t).signIn('google', account);
    const session = { user: {} as never, accessToken, refreshToken, bearer: bearer(accessToken) };
    const own = await older(session);
    expect(await methods(own)).toEqual(['email-code']);
    const send = async (nth: number) => {
      await t.api.post('/auth/step-up/email').set(own.bearer).expect(200);
      const { subject, text } = await t.mailbox.last(account.email!, nth);
      expect(subject).toBe('Your confirmation code');
      return /\b(\d{6})\b/.exec(text)![1];
    };
    const wrong = (code: string) => (code === '000000' ? '111111' : '000000');
    const first = await send(1);
    for (let i = 0; i < 3; i++)
      expect(codeOf(await stepUp(own, { emailCode: wrong(first) }).expect(401))).toBe('EMAIL_CODE_INVALID');
    expect(codeOf(await stepUp(own, { emailCode: first }).expect(401))).toBe('EMAIL_CODE_INVALID');
    const [second, third] = [await send(2), await send(3)];
    if (second !== third) await stepUp(own, { emailCode: second }).expect(401);
    const uses = await Promise.all(Array.from({ length: 3 }, () => stepUp(own, { emailCode: third })));
    expect(uses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await isFresh(own)).toBe(true);
    t.clock.advance(MINUTE);
    const last = await send(4);
    t.clock.advance(10 * MINUTE);
    expect(codeOf(await stepUp(own, { emailCode: last }))).toBe('EMAIL_CODE_INVALID');
  });

  it('is refused in a session that has ended, and during an impersonation', async () => {
    const actor = await t.actors.signedInUser();
    const acting = await t.actors.impersonating(await t.actors.admin(), actor);
    expect(codeOf(await stepUp(acting, { password: PASSWORD }).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    await t.api.post('/auth/logout').send({ refreshToken: actor.refreshToken }).expect(200);
    expect(codeOf(await stepUp(actor, { password: PASSWORD }).expect(401))).toBe('SESSION_ENDED');
    await t.api.post('/auth/step-up').send({ password: PASSWORD }).expect(401);
  });

  it('comes after permissions: users without them are not asked', async () => {
    const owner = await t.actors.owner();
    const [member, own] = [await t.actors.member(owner, 'Admin'), await older(owner)];
    const remove = (by: Bearer) => t.api.delete('/tenants/current').set(by.bearer);
    expect(codeOf(await remove(await t.actors.refreshed(member)).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await remove(own).expect(403))).toBe('STEP_UP_REQUIRED');
    await stepUp(own, { password: PASSWORD }).expect(200);
    await remove(own).expect(200);
  });
});
