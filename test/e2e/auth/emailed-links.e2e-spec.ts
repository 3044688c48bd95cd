import { CommandBus } from '@nestjs/cqrs';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import type { LinkPurpose } from '../../../src/auth/services/mailed-link-urls';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { MINUTE } from '../../../src/platform/clock';
import { Mailer } from '../../../src/platform/mail/mailer';
import { PASSWORD } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('mailed links', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const NEW = 'a wholly new one';
  const issue = (userId: string, purpose: LinkPurpose) => t.nest.get(OneTimeTokenRepository).issue(userId, purpose);
  const USES: Record<LinkPurpose, (token: string) => ReturnType<typeof t.api.get>> = {
    verification: (token) => t.api.get('/auth/verify-email').query({ token }),
    'magic-link': (token) => t.api.get('/auth/magic-link/verify').query({ token }).redirects(0),
    'password-reset': (token) => t.api.post('/auth/password/reset').send({ token, password: NEW }),
  };
  const CODES = { verification: 'VERIFICATION_TOKEN', 'magic-link': 'MAGIC_LINK', 'password-reset': 'RESET_TOKEN' };
  const PURPOSES = Object.keys(USES) as LinkPurpose[];
  /** One link of each purpose that can be mailed to a verified account. */
  const open = async (userId: string) => ({
    magic: await issue(userId, 'magic-link'),
    reset: await issue(userId, 'password-reset'),
  });
  const expectRevoked = async ({ magic, reset }: { magic: string; reset: string }) => {
    expect(codeOf(await USES['magic-link'](magic).expect(400))).toBe('MAGIC_LINK_INVALID');
    expect(codeOf(await USES['password-reset'](reset).expect(400))).toBe('RESET_TOKEN_INVALID');
  };

  describe.each(PURPOSES)('of the purpose %s', (purpose) => {
    const someone = () => t.actors.user({ isEmailVerified: purpose !== 'verification' });
    const invalid = `${CODES[purpose]}_INVALID`;

    it('stay valid when a stranger requests two more, and each of the three works', async () => {
      for (const used of [0, 1, 2]) {
        const { id } = await someone();
        const links = [await issue(id, purpose), await issue(id, purpose), await issue(id, purpose)];
        expect((await USES[purpose](links[used])).status).toBeLessThan(303);
      }
    });

    it('stay valid however many more are issued: the limits of emails bound them', async () => {
      const { id } = await someone();
      const oldest = await issue(id, purpose);
      t.clock.advance(1);
      for (let i = 0; i < 6; i++) await issue(id, purpose);
      expect((await USES[purpose](oldest)).status).toBeLessThan(303);
    });

    it('are all revoked when one is used', async () => {
      const { id } = await someone();
      const [first, second] = [await issue(id, purpose), await issue(id, purpose)];
      expect((await USES[purpose](second)).status).toBeLessThan(303);
      expect(codeOf(await USES[purpose](first).expect(400))).toBe(invalid);
    });

    it('sign in only one of two that are used simultaneously', async () => {
      const { id } = await someone();
      const links = [await issue(id, purpose), await issue(id, purpose), await issue(id, purpose)];
      const responses = await Promise.all(links.map((token) => USES[purpose](token)));
      expect(responses.map(({ status }) => status < 303).sort()).toEqual([false, false, true]);
    });
  });

  it('are not displaced by a mail that could not be sent', async () => {
    const { id, email } = await t.actors.user();
    const token = await issue(id, 'magic-link');
    t.clock.advance(MINUTE);
    const failing = jest.spyOn(t.nest.get(Mailer), 'send').mockRejectedValue(new Error('the mail server is down'));
    for (let attempt = 0; attempt < 4; attempt++) {
      await expect(t.nest.get(CommandBus).execute(new SendLinkMail(email, 'magic-link'))).rejects.toThrow(
        'mail server',
      );
    }
    failing.mockRestore();
    await USES['magic-link'](token).expect(302);
  });

  it('are revoked when the signed-in user changes the password', async () => {
    const actor = await t.actors.signedInUser();
    const links = await open(actor.user.id);
    await t.api
      .put('/auth/password')
      .set(actor.bearer)
      .send({ currentPassword: PASSWORD, newPassword: NEW })
      .expect(200);
    await expectRevoked(links);
  });

  it('are revoked by a password reset, including earlier magic links', async () => {
    const { id } = await t.actors.user();
    const [{ magic, reset }, used] = [await open(id), await issue(id, 'password-reset')];
    await USES['password-reset'](used).expect(200);
    await expectRevoked({ magic, reset });
  });

  it('are revoked when the user ends all other sessions', async () => {
    const actor = await t.actors.signedInUser();
    const links = await open(actor.user.id);
    await t.api.delete('/auth/sessions').set(actor.bearer).expect(200);
    await expectRevoked(links);
  });

  it('are revoked when the account is disabled, and stay revoked when it is enabled', async () => {
    const [admin, user] = [await t.actors.admin(), await t.actors.user()];
    const links = await open(user.id);
    await t.api.post(`/admin/users/${user.id}/disable`).set(admin.bearer).expect(200);
    await t.api.post(`/admin/users/${user.id}/enable`).set(admin.bearer).expect(200);
    await expectRevoked(links);
  });

  it('are revoked when the address is verified, by its link or by a magic link', async () => {
    for (const [purpose, status] of [
      ['verification', 200],
      ['magic-link', 302],
    ] as const) {
      const { id } = await t.actors.user({ isEmailVerified: false });
      const [verification, used, { magic, reset }] = [
        await issue(id, 'verification'),
        await issue(id, purpose),
        await open(id),
      ];
      await USES[purpose](used).expect(status);
      await expectRevoked({ magic, reset });
      expect(codeOf(await USES.verification(verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    }
  });

  it('for verification do not sign in once the account is verified', async () => {
    const { id } = await t.actors.user();
    const token = await issue(id, 'verification');
    expect(codeOf(await USES.verification(token).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
  });

  it('are reported as expired while a newer one is valid', async () => {
    const { id } = await t.actors.user();
    const old = await issue(id, 'magic-link');
    t.clock.advance(11 * MINUTE);
    const fresh = await issue(id, 'magic-link');
    expect(codeOf(await USES['magic-link'](old).expect(400))).toBe('MAGIC_LINK_EXPIRED');
    await USES['magic-link'](fresh).expect(302);
  });
});
