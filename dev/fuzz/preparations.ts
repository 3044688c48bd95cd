import { StartCheckout } from '../../src/billing/checkout/commands/start-checkout';
import type { Purpose } from '../../src/auth/domain/one-time-token';
import type { User } from '../../src/users/domain/user';
import { ownerOf } from '../tenant-fixtures';
import { WEBHOOK_SECRET } from '../stripe/stripe-stand-in';
import { signPayload } from '../stripe/webhook-signature';
import type { ActorName } from './actors';
import { PASSWORD, type Things } from './things';
import type { Ids, World } from './world';

/** What a request is given so that it can succeed. */
export interface Prepared {
  /** By path segment. */
  readonly ids?: Ids;
  /** Values of fields and parameters, by name. */
  readonly known?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: Buffer;
  /** An access token to be sent instead of the actor's. */
  readonly token?: string;
}

type Preparation = (things: Things, world: World, actor: ActorName) => Promise<Prepared>;

const SIGNED_IN: readonly ActorName[] = ['member', 'owner', 'admin'];

/** Who an actor is in a world. */
const personOf = ({ people }: World, actor: ActorName): User =>
  actor === 'owner' ? people.owner : actor === 'admin' ? people.admin : people.member;

const link =
  (purpose: Purpose): Preparation =>
  async (things) => ({ known: { token: await things.link((await things.verifiedUser()).id, purpose) } });

const registrationLink =
  (purpose: Purpose): Preparation =>
  async (things) => ({ known: { token: await things.registrationLink(purpose) } });

const refreshToken: Preparation = async (things) => ({
  known: { refreshToken: (await things.session(await things.verifiedUser())).refreshToken },
});

const invitation: Preparation = async (things, { own, people }) => {
  const { token } = await things.invitation({ tenantId: own.tenants, roleId: own.roles, invitedBy: people.owner.id });
  return { known: { token } };
};

const job: Preparation = async (things) => {
  const id = await things.job();
  return { ids: { jobs: id }, known: { ids: [id] } };
};

const webhookEvent: Preparation = async (things) => ({ ids: { 'webhook-events': await things.webhookEvent() } });

const delivery: Preparation = (things) => {
  const event = things.event();
  const signature = signPayload(event, WEBHOOK_SECRET, Math.floor(Date.now() / 1000));
  return Promise.resolve({ raw: Buffer.from(event), headers: { 'stripe-signature': signature } });
};

let places = 0;

/**
 * Where nobody has sent a wrong password from yet: the address of all other requests soon has to
 * wait.
 */
const fromElsewhere = () => ({
  'x-forwarded-for': `10.${(++places >> 16) & 255}.${(places >> 8) & 255}.${places & 255}`,
});

/**
 * By operation: those that need more than what every world has. What a request uses up is made for
 * it alone.
 */
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  logIn: async (things) => {
    const { email } = await things.verifiedUser();
    return { known: { email, password: PASSWORD }, headers: fromElsewhere() };
  },
  changePassword: () => Promise.resolve({ headers: fromElsewhere() }),
  refreshSession: refreshToken,
  logOut: refreshToken,
  verifyEmail: registrationLink('verification'),
  confirmEmail: registrationLink('verification'),
  cancelRegistration: registrationLink('disowning'),
  secureAccount: link('securing'),
  resetPassword: link('password-reset'),
  signInByMagicLink: link('magic-link'),
  confirmMagicLink: link('magic-link'),
  setPassword: async (things, _, actor) => {
    if (!SIGNED_IN.includes(actor)) return {};
    const { accessToken: token } = await things.session(await things.recognisedUser());
    return { token };
  },
  unlinkProvider: async (things, world, actor) => {
    await things.linkProvider(personOf(world, actor).id);
    return {};
  },
  endSession: async (things, world, actor) => ({
    ids: { sessions: (await things.session(personOf(world, actor))).id },
  }),
  endUserSession: async (things, { people }) => ({
    ids: { users: people.member.id, sessions: (await things.session(people.member)).id },
  }),
  markNotificationRead: async (things, world, actor) => ({
    ids: { notifications: await things.notification(world.own.tenants, personOf(world, actor).id) },
  }),
  previewInvitation: invitation,
  registerInvitedUser: invitation,
  acceptInvitation: async (things, world, actor) => {
    const { foreign, people } = world;
    const place = { tenantId: foreign.tenants, roleId: foreign.roles, invitedBy: people.stranger.id };
    return { known: { token: (await things.invitation(place, personOf(world, actor).email)).token } };
  },
  openPortal: async (things, { own, people }) => {
    await things.execute(new StartCheckout(ownerOf(own.tenants, people.owner.id), 'Pro'));
    return {};
  },
  getJob: job,
  retryJob: job,
  deleteJob: job,
  retryJobs: job,
  deleteJobs: job,
  listNames: (_, { own }) => Promise.resolve({ known: { ids: [own.tenants, own.members].join(',') } }),
  getWebhookEvent: webhookEvent,
  replayWebhookEvent: webhookEvent,
  'receiveEvent[0]': delivery,
  'receiveEvent[1]': delivery,
};

/**
 * What the next request of an operation is given. What the world lacks by now, because requests
 * have changed it, it goes without.
 */
export async function prepare(operationId: string, things: Things, world: World, actor: ActorName): Promise<Prepared> {
  return (await PREPARATIONS[operationId]?.(things, world, actor)) ?? {};
}
