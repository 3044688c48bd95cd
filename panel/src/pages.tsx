import { lazy, type ComponentType } from 'react';

interface Module {
  readonly default: ComponentType;
}

/**
 * A page in a file of its own, which is loaded when the page is first looked at, or before
 * (`load`): then it stands at once.
 */
function page(read: () => Promise<Module>) {
  let Loaded: ComponentType | undefined;
  const load = () => read().then((module) => (Loaded = module.default));
  const Later = lazy(read);
  const Page = () => (Loaded ? <Loaded /> : <Later />);
  return Object.assign(Page, { load });
}

export const Overview = page(() => import('./overview/overview'));
export const Users = page(() => import('./users/list'));
export const User = page(() => import('./users/detail'));
export const Tenants = page(() => import('./tenants/list'));
export const Tenant = page(() => import('./tenants/detail'));
export const Events = page(() => import('./events/list'));
export const Event = page(() => import('./events/detail'));
export const Jobs = page(() => import('./jobs/list'));
export const Job = page(() => import('./jobs/detail'));
export const Audit = page(() => import('./audit/list'));

/** Longer paths before those that they begin with. */
const PAGES = [
  ['/users/', User],
  ['/users', Users],
  ['/tenants/', Tenant],
  ['/tenants', Tenants],
  ['/webhook-events/', Event],
  ['/webhook-events', Events],
  ['/jobs/', Job],
  ['/jobs', Jobs],
  ['/audit-log', Audit],
  ['/', Overview],
] as const;

/**
 * Loads the page at a path of the panel, so that it need not be waited for once everything else is
 * there.
 */
export async function loadPage(path: string): Promise<void> {
  await PAGES.find(([begin]) => path.startsWith(begin))?.[1].load();
}
