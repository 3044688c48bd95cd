import type { Schemas } from '@tenantry/client';
import { formatDuration } from '../duration-format';

/** `Up to date`, `4 min behind`: the age of the oldest entry that the receiver lacks. */
export const progressText = ({ lagSeconds }: Schemas['AdminAuditStreamView']): string =>
  lagSeconds === 0 ? 'Up to date' : `${formatDuration(lagSeconds)} behind`;
