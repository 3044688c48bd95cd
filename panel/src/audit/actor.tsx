import type { Schemas } from '@tenantry/client';
import { Reference } from '../parts/links';

/** Who did something; with an impersonation both, since only one of them really did. */
export const Actor = ({ entry: { actorId, impersonatorId } }: { entry: Schemas['AuditEntryView'] }) => {
  if (actorId === null) return <>The service</>;
  if (impersonatorId === null || impersonatorId === actorId) return <Reference resource="users" id={actorId} />;
  return (
    <>
      <Reference resource="users" id={impersonatorId} /> as <Reference resource="users" id={actorId} />
    </>
  );
};
