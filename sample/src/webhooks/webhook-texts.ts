import type { ReceiverKind } from '../receivers/receiver-texts';
import type { Webhook } from './webhook-queries';

export const WEBHOOKS: ReceiverKind = { noun: 'webhook', path: '/webhooks', active: 'Enabled', stopped: 'Disabled' };

/** "All events", "project.created", "3 types of events". */
export function eventsText({ types }: Webhook): string {
  if (!types) return 'All events';
  return types.length === 1 ? types[0] : `${types.length} types of events`;
}
