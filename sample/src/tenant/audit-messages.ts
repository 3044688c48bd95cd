import type { Schemas } from '@tenantry/client';
import { dateTime } from '../date-format';
import { capitalized } from '../messages';
import { sessionEndReason } from './session-ends';

type Entry = Schemas['AuditEntryView'];

const ACTIONS: Readonly<Record<string, string>> = {
  'tenant.created': 'Workspace created',
  'tenant.renamed': 'Workspace renamed',
  'tenant.deleted': 'Workspace deleted',
  'tenant.ownership-transferred': 'Ownership transferred',
  'member.joined': 'Member joined',
  'member.removed': 'Member removed',
  'member.role-changed': 'Role of a member changed',
  'role.created': 'Role created',
  'role.updated': 'Role changed',
  'role.deleted': 'Role deleted',
  'invitation.sent': 'Invitation sent',
  'invitation.resent': 'Invitation resent',
  'invitation.revoked': 'Invitation revoked',
  'invitation.accepted': 'Invitation accepted',
  'billing.plan-change-requested': 'Plan change requested',
  'billing.cancellation-requested': 'Cancellation requested',
  'billing.resumption-requested': 'Resumption requested',
  'entitlements.overridden': 'Entitlements overridden',
  'entitlements.override-ended': 'Entitlement override ended',
  'subscription.changed': 'Subscription changed',
  'subscription.synced': 'Subscription synced with Stripe',
  'subscription.trial-extension-requested': 'Trial extension requested',
  'sign-in-policy.changed': 'Sign-in policy changed',
  'sign-in-policy.removed': 'Sign-in policy removed',
  'audit-log.exported': 'Audit log exported',
  'service-account.created': 'Service account created',
  'service-account.changed': 'Service account changed',
  'service-account.deleted': 'Service account deleted',
  'resource.orphaned': 'Maker of a resource left',
  'resource.taken-over': 'Resource of a former member taken over',
  'resource.disabled': 'Resource of a former member disabled',
  'api-key.created': 'API key created',
  'api-key.rotated': 'API key replaced',
  'api-key.revoked': 'API key revoked',
  'api-key.first-used': 'API key used for the first time',
  'api-key.leaked': 'API key found in public and revoked',
  'api-key.used-from-new-network': 'API key used from a new network',
  'api-key.address-refused': 'API key refused because of its allowed networks',
  'personal-token.created': 'Personal token created',
  'personal-token.deleted': 'Personal token deleted',
  'webhook-endpoint.created': 'Webhook created',
  'webhook-endpoint.changed': 'Webhook changed',
  'webhook-endpoint.deleted': 'Webhook deleted',
  'webhook-endpoint.secret-rotated': 'Secret of a webhook replaced',
  'webhook-endpoint.replay-requested': 'Replay of webhook deliveries requested',
  'webhook-endpoint.disabled': 'Webhook disabled',
  'audit-stream.created': 'Audit stream created',
  'audit-stream.changed': 'Audit stream changed',
  'audit-stream.deleted': 'Audit stream deleted',
  'audit-stream.secret-rotated': 'Secret of an audit stream replaced',
  'audit-stream.disabled': 'Audit stream disabled',
  'project.created': 'Project created',
  'project.changed': 'Project changed',
  'project.deleted': 'Project deleted',
  'session.token-reused': 'Session ended',
  'user.signed-in': 'Signed in',
  'user.sign-in-failed': 'Sign-in failed',
  'user.sign-in-not-completed': 'Sign-in not completed',
  'user.impersonated': 'Impersonation started',
};

/** What happened. Actions that are not known here are shown by their name. */
export function auditTitle({ action, data }: Entry): string {
  if (action === 'session.revoked') return data.reason === 'logout' ? 'Signed out' : 'Session ended';
  if (action in ACTIONS) return ACTIONS[action];
  return capitalized(action.replaceAll(/[.-]/g, ' '));
}

/** Who or what it happened to, and how. @param nameOf the name of a member by their user id */
export function auditDetails(
  { action, data, targetType, targetId, actorId }: Entry,
  nameOf: (id: string) => string | undefined,
): string {
  if (action === 'session.revoked' || action === 'session.token-reused') return sessionEndReason(data.reason);
  if (action === 'subscription.changed') return subscriptionDetails(data);
  const member = targetType === 'user' && targetId !== actorId ? nameOf(targetId) : undefined;
  const shown = Object.entries(data).filter(
    ([name, value]) => !name.endsWith('Id') && ['string', 'number'].includes(typeof value),
  );
  const names = shown.filter(([name]) => NAMING.includes(name)).map(([, value]) => String(value));
  const details = shown
    .filter(([name]) => !NAMING.includes(name))
    .map(([name, value]) => `${labelOf(name)}: ${name.endsWith('At') ? dateTime(String(value)) : String(value)}`);
  return [member, ...names, ...details].filter(Boolean).join(' · ');
}

/** "Ends at" for `endsAt` */
const labelOf = (name: string) => capitalized(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Fields whose value needs no label. */
const NAMING = ['name', 'email'];

interface SubscriptionFacts {
  readonly plan: string;
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
}

/** "Plan: Free → Pro · Status: Active → Trialing (Stripe)": what changed, and what changed it. */
function subscriptionDetails({ before, after, cause, reason }: Entry['data']): string {
  const [old, current] = [before, after] as (SubscriptionFacts | undefined)[];
  const change = (label: string, from?: string, to?: string) => (from !== to ? `${label}: ${from} → ${to}` : undefined);
  const source = { operator: 'support', sync: 'sync' }[String(cause)] ?? 'Stripe';
  const cancels =
    !old?.cancelAtPeriodEnd && current?.cancelAtPeriodEnd
      ? 'Cancels at the end of the period'
      : old?.cancelAtPeriodEnd && !current?.cancelAtPeriodEnd && 'No longer cancels';
  const changes = [change('Plan', old?.plan, current?.plan), change('Status', old?.status, current?.status), cancels];
  return [
    `${changes.filter(Boolean).join(' · ')} (${source})`.trim(),
    typeof reason === 'string' && `Reason: ${reason}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
