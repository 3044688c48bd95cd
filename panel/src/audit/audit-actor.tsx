import type { Schemas } from '@tenantry/client';
import { RecordLink } from '../components/links';

/**
 * The actor of an entry; while impersonating, also the operator who really did it. A program acts
 * as a service account or by the personal token of a user.
 */
export const AuditActor = ({ entry }: { entry: Schemas['AuditEntryView'] }) => {
  const { actorId, impersonatorId, principalKind, principalId } = entry;
  if (actorId === null) return <>{principalKind === 'service' ? `Service account ${principalId}` : 'System'}</>;
  if (principalKind === 'token')
    return (
      <>
        <RecordLink resource="users" id={actorId} /> by a personal token
      </>
    );
  if (impersonatorId === null || impersonatorId === actorId) return <RecordLink resource="users" id={actorId} />;
  return (
    <>
      <RecordLink resource="users" id={impersonatorId} /> as <RecordLink resource="users" id={actorId} />
    </>
  );
};
