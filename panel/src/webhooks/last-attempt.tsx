import type { Schemas } from '@tenantry/client';
import { formatDuration } from '../duration-format';

/** What came of the last attempt, and how long it took. */
export const LastAttempt = ({ attempt }: { attempt: Schemas['AdminWebhookAttemptView'] | null }) => {
  if (!attempt) return <>–</>;
  const { status, error, milliseconds } = attempt;
  return <>{`${status === null ? error : `Status ${status}`} · ${formatDuration(milliseconds / 1000)}`}</>;
};
