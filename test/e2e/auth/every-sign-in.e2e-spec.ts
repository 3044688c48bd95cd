import { IdentityProvider } from '../../../dev/identity-provider';
import { openApiDocument } from '../../../src/http/openapi/openapi-document';
import { operationsIn } from '../../../src/http/openapi/openapi-operations';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { Browser, fragmentOf } from '../../support/browser';
import { someone } from '../../support/provider-users';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

/** What a sign-in gives: the fields of its body or of the fragment that it redirects to. */
interface Given {
  readonly accessToken?: string;
  readonly secondFactorTicket?: string;
  readonly cookies: string;
}

type SignIn = (actor: SignedInUser) => Promise<Given>;

/** Operations that issue no session, or none to a user who has a second factor. */
const WITHOUT_SESSION = {
  'registers a new account, which signs in later': ['registerUser', 'resendVerification', 'cancelRegistration'],
  'is for accounts that were never verified, which have no factor': [
    'verifyEmail',
    'confirmEmail',
    'registerInvitedUser',
  ],
  'needs a live session': ['refreshSession', 'logOut'],
  'is the second step itself': ['signInBySecondFactor'],
  'starts a sign-in': ['beginGoogle', 'beginGithub', 'requestMagicLink', 'startPasskeyAssertion'],
  'changes a password or checks a link': ['requestPasswordReset', 'checkResetLink', 'resetPassword', 'secureAccount'],
  'keeps the second factor': ['stopFactorResetByLink'],
  'ends all sessions': ['undoEmailChange'],
  'is no sign-in': [
    'getPicture',
    'previewInvitation',
    'ready',
    'live',
    'listPlans',
    'receiveStripeEvent',
    'reportLeaks',
    'receiveProcessorEvent',
  ],
};

describe('every sign-in', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const givenBy = ({ body, headers }: { body: unknown; headers: Record<string, unknown> }): Given => {
    const cookies = ((headers['set-cookie'] ?? []) as string[]).join();
    if (headers.location) return { ...fragmentOf(headers.location as string), cookies };
    const { data } = body as { data: { accessToken?: string; secondFactor?: { ticket: string } } };
    return { accessToken: data.accessToken, secondFactorTicket: data.secondFactor?.ticket, cookies };
  };
  const magicToken = async ({ user: { email } }: SignedInUser) => {
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    const { text } = await t.mailbox.titled(email, 'Your sign-in link');
    return /token=([\w-]+)/.exec(text)![1];
  };
  const byProvider =
    (provider: 'google' | 'github'): SignIn =>
    async ({ user: { email } }) => {
      const browser = new Browser(t);
      const fragment = await browser.signIn(provider, someone({ email }));
      return { ...fragment, cookies: `refresh_token=${browser.cookie('refresh_token') ?? ''}`.replace(/.*=$/, '') };
    };

  const unprovenSessions = ({ user: { id } }: SignedInUser) =>
    t.database.query(
      'SELECT methods FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND second_factor_at IS NULL',
      [id],
    );

  /** By the id of the operation. */
  const SIGN_INS: Record<string, SignIn> = {
    logIn: async ({ user: { email } }) => givenBy(await t.api.post('/auth/login').send({ email, password: PASSWORD })),
    signInByMagicLink: async (actor) =>
      givenBy(
        await t.api
          .get('/auth/magic-link/verify')
          .query({ token: await magicToken(actor) })
          .redirects(0),
      ),
    confirmMagicLink: async (actor) =>
      givenBy(await t.api.post('/auth/magic-link/verify').send({ token: await magicToken(actor) })),
    signInByEmailCode: async ({ user: { email } }) => {
      const asked = await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
      const { text } = await t.mailbox.titled(email, 'Your sign-in link');
      const code = /\n(\d{6})\n/.exec(text)![1];
      const cookies = (asked.headers['set-cookie'] as unknown as string[]).map((cookie) => cookie.split(';')[0]);
      return givenBy(await t.api.post('/auth/magic-link/code').set('Cookie', cookies).send({ email, code }));
    },
    finishGoogle: byProvider('google'),
    finishGithub: byProvider('github'),
  };

  /** Sign-ins that prove two factors. */
  const TWO_FACTORS: Record<string, SignIn> = {
    signInByPasskey: async (actor) => {
      const authenticator = await SoftwareAuthenticator.enrol(t, actor);
      const { body } = await t.api.post('/auth/passkey/options').expect(200);
      return givenBy(await t.api.post('/auth/passkey').send({ response: authenticator.get(body.data.options) }));
    },
  };

  it('has its row here: a public operation without one fails', () => {
    const publicIds = operationsIn(openApiDocument(t.nest, t.settings))
      .filter(({ operation: { security } }) => security && !security.some((one) => 'bearer' in one))
      .map(({ operation }) => operation.operationId!);
    expect(publicIds.length).toBeGreaterThan(20);
    expect(publicIds.sort()).toEqual(
      [...Object.keys(SIGN_INS), ...Object.keys(TWO_FACTORS), ...Object.values(WITHOUT_SESSION).flat()].sort(),
    );
  });

  describe.each(Object.keys(SIGN_INS))('%s', (id) => {
    it('signs a user without a second factor in at once', async () => {
      const given = await SIGN_INS[id](await t.actors.signedInUser());
      expect(given.accessToken).toEqual(expect.any(String));
      expect(given.secondFactorTicket).toBeUndefined();
      expect(given.cookies).toContain('refresh_token=');
    });

    it('gives a user with a factor a ticket only, and the session after the second step', async () => {
      const actor = await t.actors.signedInUser();
      const app = await AuthenticatorApp.enrol(t, actor);
      const given = await SIGN_INS[id](actor);
      expect(given).not.toHaveProperty('refreshToken');
      expect([given.accessToken, given.cookies.includes('refresh_token=')]).toEqual([undefined, false]);
      const done = await t.api
        .post('/auth/second-factor')
        .send({ ticket: given.secondFactorTicket, code: app.nextCode() })
        .expect(200);
      expect(givenBy(done).cookies).toContain('refresh_token=');
      expect(await unprovenSessions(actor)).toEqual([]);
    });

    it('signs a user in at once whose set-up of a factor was not confirmed', async () => {
      const actor = await t.actors.signedInUser();
      await t.api.post('/auth/factors/totp').set(actor.bearer).expect(200);
      expect((await SIGN_INS[id](actor)).accessToken).toEqual(expect.any(String));
    });
  });

  it.each(Object.keys(TWO_FACTORS))('%s signs a user with a factor in at once, with a second factor', async (id) => {
    const actor = await t.actors.signedInUser();
    await AuthenticatorApp.enrol(t, actor);
    const given = await TWO_FACTORS[id](actor);
    expect(given.accessToken).toEqual(expect.any(String));
    expect(given.cookies).toContain('refresh_token=');
    expect(await unprovenSessions(actor)).toEqual([]);
  });
});
