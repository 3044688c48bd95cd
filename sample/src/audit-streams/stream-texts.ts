import { duration } from '../date-format';
import type { ReceiverKind } from '../receivers/receiver-texts';
import type { AuditStream } from './stream-queries';

export const AUDIT_STREAMS: ReceiverKind = {
  noun: 'audit stream',
  path: '/audit-streams',
  active: 'Active',
  stopped: 'Paused',
};

/** "Up to date", "5 minutes behind": the age of the oldest entry that the receiver lacks. */
export const progressText = ({ lagSeconds }: AuditStream): string =>
  lagSeconds === 0 ? 'Up to date' : `${duration(lagSeconds)} behind`;
