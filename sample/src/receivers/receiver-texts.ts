import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { capitalized } from '../messages';

/** What webhooks and audit streams have in common: an address that gets signed requests. */
export type Receiver = Pick<
  Schemas['WebhookEndpointView'],
  'id' | 'url' | 'description' | 'publicKey' | 'oldKeysUntil' | 'disabledAt' | 'disabledWhy' | 'failingSince'
>;

/** The words for receivers of a kind, and where their pages are. */
export interface ReceiverKind {
  /** In the middle of a sentence; its plural has an s. */
  readonly noun: string;
  /** The path of the list in a workspace. */
  readonly path: string;
  /** The state of one that gets everything. */
  readonly active: string;
  /** The state of one that a member has stopped. */
  readonly stopped: string;
}

/** "Webhooks" */
export const listName = ({ noun }: ReceiverKind): string => capitalized(`${noun}s`);

/** What a receiver is called: its description, else its host. */
export const receiverName = ({ description, url }: Pick<Receiver, 'description' | 'url'>): string =>
  description || new URL(url).host;

const REASONS: Readonly<Record<NonNullable<Receiver['disabledWhy']>, string>> = {
  user: 'by a member of this workspace',
  gone: 'because the receiver answered that it no longer exists (410)',
  failing: 'because every attempt had failed for five days',
  operator: 'by an operator of the service. Contact the support to have it enabled again',
};

/** Why a receiver can't be started, tested or deleted; undefined if it can. */
export const operatorBlock = ({ disabledWhy }: Receiver): string | undefined =>
  disabledWhy === 'operator' ? 'Disabled by an operator of the service. Contact the support.' : undefined;

/** Whether a receiver gets nothing, and who stopped it, in a word. */
export const stopWord = ({ disabledWhy }: Receiver, { stopped }: ReceiverKind): string =>
  disabledWhy === 'user' ? stopped : 'Disabled';

/** Why a receiver gets nothing, as a sentence; undefined if it gets something. */
export function disabledText(receiver: Receiver, kind: ReceiverKind): string | undefined {
  const { disabledAt, disabledWhy } = receiver;
  if (!disabledAt) return undefined;
  const reason = disabledWhy ? ` ${REASONS[disabledWhy]}` : '';
  return `${stopWord(receiver, kind)} on ${longDate(disabledAt)}${reason}.`;
}
