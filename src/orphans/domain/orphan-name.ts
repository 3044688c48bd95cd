import type { ResourceKind } from './orphaned-resource';

/** How lists and emails name a resource: a receiver by its host, since the rest may be secret. */
export const orphanName = ({ kind, label }: { readonly kind: ResourceKind; readonly label: string }): string =>
  `${KIND_NAMES[kind]} ${kind === 'service-account' ? `"${label}"` : new URL(label).host}`;

const KIND_NAMES: Readonly<Record<ResourceKind, string>> = {
  'service-account': 'Service account',
  'webhook-endpoint': 'Webhook endpoint at',
  'audit-stream': 'Audit stream to',
};
