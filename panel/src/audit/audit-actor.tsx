import type { Schemas } from '@tenantry/client';
import { RecordLink } from '../components/links';

/** The actor of an entry; while impersonating, also the operator who really did it. */
export const AuditActor = ({ entry: { actorId, impersonatorId } }: { entry: Schemas['AuditEntryView'] }) => {
  if (actorId === null) return <>System</>;
  if (impersonatorId === null || impersonatorId === actorId) return <RecordLink resource="users" id={actorId} />;
  return (
    <>
      <RecordLink resource="users" id={impersonatorId} /> as <RecordLink resource="users" id={actorId} />
    </>
  );
};
