import { OverrideEntitlements } from '../../src/billing/entitlements/commands/override-entitlements';
import { StartCheckout } from '../../src/billing/checkout/commands/start-checkout';
import type { Purpose } from '../../src/auth/domain/one-time-token';
import { newKeyToken } from '../../src/keys/domain/key-token';
import { newId } from '../../src/platform/ids';
import type { User } from '../../src/users/domain/user';
import { leakReportSigner } from '../leak-report-signer';
import { ownerOf } from '../tenant-fixtures';
import { WEBHOOK_SECRET } from '../stripe/stripe-stand-in';
import { signPayload } from '../stripe/webhook-signature';
import type { ActorName } from './actors';
import { PASSWORD, type Fixtures } from './fixtures';
import type { Ids, TestTenants } from './test-tenants';

/** The data that a request needs to succeed. */
export interface Prepared {
  /** By path segment. */
  readonly ids?: Ids;
  /** Values of fields and parameters, by name. */
  readonly known?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: Buffer;
  /** An access token that replaces that of the actor. */
  readonly token?: string;
  /** Whether a success changes the foreign tenant. */
  readonly changesForeign?: boolean;
}

type Preparation = (fixtures: Fixtures, tenants: TestTenants, actor: ActorName) => Promise<Prepared>;

const SIGNED_IN: readonly ActorName[] = ['member', 'owner', 'admin'];

/** The account of an actor. */
const userOf = ({ users }: TestTenants, actor: ActorName): User =>
  actor === 'owner' ? users.owner : actor === 'admin' ? users.admin : users.member;

/** A GIF of one pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

let accounts = 0;

/**
 * A verified account. Every other one has a second factor, which no sign-in may skip: after the
 * run, sessions without it are violations.
 */
const account = async (fixtures: Fixtures): Promise<User> =>
  ++accounts % 2 === 0 ? (await fixtures.factors.enrolled()).user : fixtures.verifiedUser();

const link =
  (purpose: Purpose): Preparation =>
  async (fixtures) => ({ known: { token: await fixtures.link((await account(fixtures)).id, purpose) } });

/** A request has one of these proofs. */
const NO_PROOF = {
  code: undefined,
  recoveryCode: undefined,
  passkey: undefined,
  password: undefined,
  emailCode: undefined,
};

/** Signs the actor in to an account of its own. */
const signedInTo =
  (accessToken: (fixtures: Fixtures) => Promise<string>, known?: Prepared['known']): Preparation =>
  async (fixtures, _, actor) =>
    SIGNED_IN.includes(actor) ? { token: await accessToken(fixtures), known } : {};

const withFactor = async (fixtures: Fixtures) => (await fixtures.factors.enrolled()).accessToken;
const withPassword = async (fixtures: Fixtures) => (await fixtures.session(await fixtures.verifiedUser())).accessToken;
const withoutPassword = async (fixtures: Fixtures) =>
  (await fixtures.session(await fixtures.recognizedUser())).accessToken;

const registrationLink =
  (purpose: Purpose): Preparation =>
  async (fixtures) => ({ known: { token: await fixtures.registrationLink(purpose) } });

const refreshToken: Preparation = async (fixtures) => ({
  known: { refreshToken: (await fixtures.session(await fixtures.verifiedUser())).refreshToken },
});

const invitation: Preparation = async (fixtures, { own, users }) => {
  const { token } = await fixtures.invitation({ tenantId: own.tenants, roleId: own.roles, invitedBy: users.owner.id });
  return { known: { token } };
};

const passkey: Preparation = async (fixtures, tenants, actor) => ({
  ids: { passkeys: await fixtures.passkey(userOf(tenants, actor).id) },
});

const factorReset: Preparation = async (fixtures) => ({
  ids: { 'factor-resets': await fixtures.factorReset((await fixtures.enrolledUser()).id) },
});

const job: Preparation = async (fixtures) => {
  const id = await fixtures.job();
  return { ids: { jobs: id }, known: { ids: [id] } };
};

const webhookEvent: Preparation = async (fixtures) => ({ ids: { 'webhook-events': await fixtures.webhookEvent() } });

const ownEndpoint: Preparation = (_, { own }) => Promise.resolve({ ids: { 'webhook-endpoints': own.webhooks } });

const delivery: Preparation = (fixtures) => {
  const event = fixtures.event();
  const signature = signPayload(event, WEBHOOK_SECRET, Math.floor(Date.now() / 1000));
  return Promise.resolve({ raw: Buffer.from(event), headers: { 'stripe-signature': signature } });
};

const leakReport: Preparation = () => {
  const raw = Buffer.from(JSON.stringify([{ token: newKeyToken('tn', 'service'), type: 'key', source: 'commit' }]));
  return Promise.resolve({ raw, headers: leakReportSigner.headersFor(raw) });
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** A tenant in the trial of a subscription. */
const subscription =
  (known: Prepared['known'] = {}): Preparation =>
  async (fixtures, { own, users }) => {
    await fixtures.subscription(ownerOf(own.tenants, users.owner.id));
    return { known };
  };

/** A tenant that an operator has given a plan. */
const override: Preparation = async (fixtures, { own, users }) => {
  const operator = { ...ownerOf(own.tenants, users.admin.id), isAdmin: true };
  const given = { plan: 'Business', entitlements: {}, endsAt: inDays(9), reason: 'fuzz' } as const;
  await fixtures.execute(new OverrideEntitlements(operator, own.tenants, given));
  return {};
};

/** The plan that has audit streams, and an address for one. */
const auditStream: Preparation = async (fixtures, tenants, actor) => {
  await override(fixtures, tenants, actor);
  return { known: { url: 'https://receiver.example/', authorization: undefined } };
};

/** A key of the own tenant that was not rotated or revoked. */
const apiKey: Preparation = async (fixtures, { own }) => ({
  ids: { keys: await fixtures.apiKey(own.tenants, { serviceAccountId: own['service-accounts'] }) },
});

let addresses = 0;

/**
 * A new client address for each request, because the shared one is soon limited for its wrong
 * passwords.
 */
const fromNewAddress = () => ({
  'x-forwarded-for': `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
});

/**
 * Preparations by operation id, for operations that need more than the test tenants have. What a
 * request uses
 * up is created for it alone.
 */
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  logIn: async (fixtures) => {
    const { email } = await account(fixtures);
    return { known: { email, password: PASSWORD }, headers: fromNewAddress() };
  },
  changePassword: () => Promise.resolve({ headers: fromNewAddress() }),
  refreshSession: refreshToken,
  logOut: refreshToken,
  verifyEmail: registrationLink('verification'),
  confirmEmail: registrationLink('verification'),
  cancelRegistration: registrationLink('disowning'),
  secureAccount: link('securing'),
  resetPassword: link('password-reset'),
  checkResetLink: link('password-reset'),
  signInByMagicLink: link('magic-link'),
  confirmMagicLink: link('magic-link'),
  signInByEmailCode: async (fixtures) => {
    const { id, email } = await account(fixtures);
    const { code, cookie } = await fixtures.factors.emailedCode(id);
    return { known: { email, code }, headers: { cookie } };
  },
  signInBySecondFactor: async (fixtures) => ({ known: { ...NO_PROOF, ...(await fixtures.factors.ticket()) } }),
  enableTotp: async (fixtures, _, actor) => {
    if (!SIGNED_IN.includes(actor)) return {};
    const { accessToken: token, code } = await fixtures.factors.startedSetup();
    return { token, known: { code } };
  },
  disableTotp: signedInTo(withFactor),
  createRecoveryCodes: signedInTo(withFactor),
  verifyIdentity: signedInTo(withPassword, { ...NO_PROOF, password: PASSWORD }),
  requestStepUpCode: signedInTo(withoutPassword),
  removeTrustedBrowser: async (fixtures, tenants, actor) => ({
    ids: { 'trusted-browsers': await fixtures.factors.trustedBrowser(userOf(tenants, actor).id) },
  }),
  setPassword: signedInTo(withoutPassword),
  removeSignInPolicy: async (fixtures, { own }) => {
    await fixtures.signInPolicy(own.tenants);
    return {};
  },
  requestEmailChange: async (fixtures, _, actor) => {
    if (!SIGNED_IN.includes(actor)) return {};
    const { accessToken: token } = await fixtures.session(await fixtures.recognizedUser());
    return { token, known: { email: `wanted-${newId()}@example.com` } };
  },
  changeEmail: async (fixtures, _, actor) => {
    if (!SIGNED_IN.includes(actor)) return {};
    const user = await fixtures.recognizedUser();
    const { accessToken: token } = await fixtures.session(user);
    return { token, known: { code: await fixtures.emailChangeCode(user.id) } };
  },
  changePicture: () => Promise.resolve({ raw: PICTURE, headers: { 'content-type': 'image/gif' } }),
  getPicture: async (fixtures) => ({ ids: { pictures: await fixtures.picture() } }),
  undoEmailChange: async (fixtures) => ({ known: { token: await fixtures.undoToken() } }),
  requestAccountDeletion: signedInTo(withPassword),
  exportAccountData: signedInTo(withPassword),
  unlinkProvider: async (fixtures, tenants, actor) => {
    await fixtures.linkProvider(userOf(tenants, actor).id);
    return {};
  },
  renamePasskey: passkey,
  removePasskey: passkey,
  requestFactorReset: async (fixtures) => ({ ids: { users: (await fixtures.enrolledUser()).id } }),
  approveFactorReset: factorReset,
  cancelFactorReset: factorReset,
  stopFactorReset: async (fixtures, tenants, actor) => {
    await fixtures.factorReset(userOf(tenants, actor).id);
    return {};
  },
  stopFactorResetByLink: async (fixtures) => {
    const { id } = await fixtures.enrolledUser();
    await fixtures.factorReset(id);
    return { known: { token: await fixtures.link(id, 'factor-keeping') } };
  },
  endSession: async (fixtures, tenants, actor) => ({
    ids: { sessions: (await fixtures.session(userOf(tenants, actor))).id },
  }),
  endUserSession: async (fixtures, { users }) => ({
    ids: { users: users.member.id, sessions: (await fixtures.session(users.member)).id },
  }),
  createServiceKey: () =>
    Promise.resolve({ known: { permissions: ['tenant.projects.read'], allowedNetworks: [], expiresAt: undefined } }),
  rotateKey: apiKey,
  createWebhookEndpoint: () => Promise.resolve({ known: { url: 'https://receiver.example/', types: undefined } }),
  requestWebhookReplay: () =>
    Promise.resolve({ known: { from: inDays(-1).toISOString(), to: inDays(0).toISOString() } }),
  revokeKey: apiKey,
  // a policy may refuse whoever sets it
  changeSignInPolicy: () => Promise.resolve({ known: { secondFactorFrom: null, allowedMethods: null } }),
  createPersonalToken: () =>
    Promise.resolve({
      known: { permissions: ['tenant.projects.read'], expiresAt: inDays(30).toISOString(), allowedNetworks: [] },
    }),
  deletePersonalToken: async (fixtures, tenants, actor) => ({
    ids: { tokens: await fixtures.apiKey(tenants.own.tenants, { userId: userOf(tenants, actor).id }) },
  }),
  markNotificationRead: async (fixtures, tenants, actor) => ({
    ids: { notifications: await fixtures.notification(tenants.own.tenants, userOf(tenants, actor).id) },
  }),
  previewInvitation: invitation,
  registerInvitedUser: invitation,
  acceptInvitation: async (fixtures, tenants, actor) => {
    const { foreign, users } = tenants;
    const place = { tenantId: foreign.tenants, roleId: foreign.roles, invitedBy: users.stranger.id };
    const { token } = await fixtures.invitation(place, userOf(tenants, actor).email);
    return { known: { token }, changesForeign: true };
  },
  openPortal: async (fixtures, { own, users }) => {
    await fixtures.execute(new StartCheckout(ownerOf(own.tenants, users.owner.id), { plan: 'Pro', interval: 'month' }));
    return {};
  },
  changePlan: subscription({ planName: 'Business', interval: 'month', when: 'period-end', preview: false }),
  cancelSubscription: subscription(),
  resumeSubscription: subscription(),
  extendTrial: subscription({ endsAt: inDays(40).toISOString(), reason: 'fuzz' }),
  overrideEntitlements: () =>
    Promise.resolve({ known: { plan: 'Pro', entitlements: {}, endsAt: inDays(9).toISOString(), reason: 'fuzz' } }),
  endEntitlementOverride: override,
  exportTenantAuditLog: override,
  createAuditStream: auditStream,
  changeAuditStream: auditStream,
  takeOverResource: async (fixtures, { own }) => ({
    ids: { 'orphaned-resources': await fixtures.orphan(own.tenants, own['service-accounts']) },
  }),
  sendVerification: async (fixtures) => ({ ids: { users: (await fixtures.user('unverified')).id } }),
  getJob: job,
  retryJob: job,
  deleteJob: job,
  retryJobs: job,
  deleteJobs: job,
  listNames: (_, { own }) => Promise.resolve({ known: { ids: [own.tenants, own.members].join(',') } }),
  getWebhookEvent: webhookEvent,
  replayWebhookEvent: webhookEvent,
  getAnyWebhookEndpoint: ownEndpoint,
  disableWebhookEndpoint: ownEndpoint,
  enableWebhookEndpoint: ownEndpoint,
  receiveStripeEvent: delivery,
  reportLeaks: leakReport,
  receiveProcessorEvent: delivery,
};

/**
 * Prepares the next request of an operation.
 */
export async function prepare(
  operationId: string,
  fixtures: Fixtures,
  tenants: TestTenants,
  actor: ActorName,
): Promise<Prepared> {
  return (await PREPARATIONS[operationId]?.(fixtures, tenants, actor)) ?? {};
}
