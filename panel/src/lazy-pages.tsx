import { lazy, type ComponentType } from 'react';

interface Module {
  readonly default: ComponentType;
}

/** A page whose script is loaded when it is first shown, or before by `load`. */
function page(read: () => Promise<Module>) {
  let Loaded: ComponentType | undefined;
  const load = () => read().then((module) => (Loaded = module.default));
  const Later = lazy(read);
  const Page = () => (Loaded ? <Loaded /> : <Later />);
  return Object.assign(Page, { load });
}

export const OverviewPage = page(() => import('./overview/overview-page'));
export const UserList = page(() => import('./users/user-list'));
export const UserDetail = page(() => import('./users/user-detail'));
export const TenantList = page(() => import('./tenants/tenant-list'));
export const TenantDetail = page(() => import('./tenants/tenant-detail'));
export const WebhookEventList = page(() => import('./webhook-events/webhook-event-list'));
export const WebhookEventDetail = page(() => import('./webhook-events/webhook-event-detail'));
export const WebhookEndpointList = page(() => import('./webhooks/webhook-endpoint-list'));
export const WebhookEndpointDetail = page(() => import('./webhooks/webhook-endpoint-detail'));
export const WebhookDeliveryList = page(() => import('./webhooks/webhook-delivery-list'));
export const AuditStreamList = page(() => import('./audit-streams/audit-stream-list'));
export const AuditStreamDetail = page(() => import('./audit-streams/audit-stream-detail'));
export const JobList = page(() => import('./jobs/job-list'));
export const JobDetail = page(() => import('./jobs/job-detail'));
export const FactorResetList = page(() => import('./factor-resets/factor-reset-list'));
export const RevenuePage = page(() => import('./revenue/revenue-page'));
export const AuditLogList = page(() => import('./audit/audit-log-list'));

/** The page of each path; longer prefixes first. */
const PAGES = [
  ['/users/', UserDetail],
  ['/users', UserList],
  ['/tenants/', TenantDetail],
  ['/tenants', TenantList],
  ['/webhook-events/', WebhookEventDetail],
  ['/webhook-events', WebhookEventList],
  ['/webhook-endpoints/', WebhookEndpointDetail],
  ['/webhook-endpoints', WebhookEndpointList],
  ['/webhook-deliveries', WebhookDeliveryList],
  ['/audit-streams/', AuditStreamDetail],
  ['/audit-streams', AuditStreamList],
  ['/jobs/', JobDetail],
  ['/jobs', JobList],
  ['/factor-resets', FactorResetList],
  ['/revenue', RevenuePage],
  ['/audit-log', AuditLogList],
  ['/', OverviewPage],
] as const;

/** Loads the script of the page at a path of the panel, before it is rendered. */
export async function loadPage(path: string): Promise<void> {
  await PAGES.find(([begin]) => path.startsWith(begin))?.[1].load();
}
