import { longDate } from '../date-format';
import type { Webhook } from './webhook-queries';

/** What an endpoint is called: its description, else its host. */
export const webhookName = ({ description, url }: Webhook): string => description || new URL(url).host;

/** "All events", "project.created", "3 types of events". */
export function eventsText({ types }: Webhook): string {
  if (!types) return 'All events';
  return types.length === 1 ? types[0] : `${types.length} types of events`;
}

const REASONS: Readonly<Record<NonNullable<Webhook['disabledWhy']>, string>> = {
  user: 'by a member of this workspace',
  gone: 'because the receiver answered that it no longer exists (410)',
  failing: 'because every attempt had failed for five days',
  operator: 'by an operator of the service. Contact support to have it enabled again',
};

/** Why an endpoint gets nothing, as a sentence; undefined if it gets events. */
export function disabledText({ disabledAt, disabledWhy }: Webhook): string | undefined {
  if (!disabledAt) return undefined;
  return `Disabled on ${longDate(disabledAt)}${disabledWhy ? ` ${REASONS[disabledWhy]}` : ''}.`;
}
