import { tokenFor, tokensFor } from './access-tokens';
import { SMALL } from './bench-run';
import { CONNECTIONS } from './driver-connections';
import { deliver, live, login, me, pages, profile, refresh, type Measured } from './load-drivers';
import { addTenant, addTenants, MEMBERS, subscribe } from './seed-data';
import { BILLING, Renewals } from './webhook-deliveries';

type Drive = (url: string, seconds: number) => Promise<Measured>;

/** Work that `npm run profile` can drive. */
export interface ProfiledWork {
  readonly settings?: NodeJS.ProcessEnv;
  /** @param url of the filled database, for a superuser */
  readonly prepare: (url: string) => Promise<Drive>;
}

const SUBSCRIBED = 30_000;
/** More than are delivered in a second. */
const DELIVERIES_PER_SECOND = 400;

const asUsers = (drive: (url: string, tokens: string[], seconds: number) => Promise<Measured>): ProfiledWork => ({
  prepare: async () => {
    const tokens = await tokensFor(SMALL);
    return (url, seconds) => drive(url, tokens, seconds);
  },
});

export const PROFILED: Readonly<Partial<Record<string, ProfiledWork>>> = {
  live: { prepare: () => Promise.resolve(live) },
  me: asUsers(me),
  profile: asUsers(profile),
  login: { prepare: () => Promise.resolve((url, seconds) => login(url, SMALL, seconds)) },
  refresh: {
    prepare: () => {
      let chain = 1;
      return Promise.resolve((url, seconds) => refresh(url, (chain += CONNECTIONS), CONNECTIONS, seconds));
    },
  },
  members: {
    prepare: async (superuser) => {
      const tokens = [await tokenFor(1, await addTenant(superuser, SMALL, 50))];
      return (url, seconds) => pages(url, '/tenants/current/members?limit=50', tokens, seconds);
    },
  },
  delivery: {
    settings: BILLING,
    prepare: async (superuser) => {
      await addTenants(superuser, SMALL / MEMBERS + 1, SUBSCRIBED);
      await subscribe(superuser, SUBSCRIBED);
      const renewals = new Renewals(SUBSCRIBED);
      return (url, seconds) => deliver(url, renewals.sign(seconds * DELIVERIES_PER_SECOND));
    },
  },
};
