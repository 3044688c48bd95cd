import type { Schemas } from '@tenantry/client';
import { RecordLink } from '../components/links';

/** Who did something; with an impersonation both, since only one of them really did. */
export const AuditActor = ({ entry: { actorId, impersonatorId } }: { entry: Schemas['AuditEntryView'] }) => {
  if (actorId === null) return <>The service</>;
  if (impersonatorId === null || impersonatorId === actorId) return <RecordLink resource="users" id={actorId} />;
  return (
    <>
      <RecordLink resource="users" id={impersonatorId} /> as <RecordLink resource="users" id={actorId} />
    </>
  );
};
