import type { Schemas } from '@tenantry/client';
import { Timestamp } from '../components/timestamp';

interface ResetDeadlineProps {
  readonly reset: Schemas['FactorResetView'];
  /** Shows the date and the relative time. */
  readonly full?: boolean;
}

/** When a reset happens or expires, or was closed. */
export const ResetDeadline = ({ reset, full }: ResetDeadlineProps) => {
  const { state, dueAt, expiresAt, closedAt } = reset;
  if (closedAt !== null) return <Timestamp at={closedAt} full={full} />;
  if (new Date(dueAt) > new Date()) {
    return (
      <>
        not before <Timestamp at={dueAt} full={full} />
      </>
    );
  }
  if (state === 'approved') return <>within ten minutes</>;
  return (
    <>
      expires <Timestamp at={expiresAt} full={full} />
    </>
  );
};
