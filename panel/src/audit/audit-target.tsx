import type { Schemas } from '@tenantry/client';
import { RecordLink, recordAt, shortId, TextLink } from '../components/links';

/** The panel's page for each type of target; others have none. */
const RESOURCES: Partial<Record<string, string>> = {
  user: 'users',
  tenant: 'tenants',
  subscription: 'tenants',
  job: 'jobs',
  'webhook-event': 'webhook-events',
  'webhook-endpoint': 'webhook-endpoints',
  'audit-stream': 'audit-streams',
};

/** The ID of a target that is a whole list, such as the list of users that an operator viewed. */
const WHOLE_LIST = 'list';

/** The object that an entry of the audit log is about. */
export const AuditTarget = ({ entry }: { entry: Schemas['AuditEntryView'] }) => {
  const { targetType: type, targetId: id } = entry;
  if (id === WHOLE_LIST) return <>{`${type} list`}</>;
  const resource = RESOURCES[type];
  if (resource === 'users' || resource === 'tenants')
    return <RecordLink resource={resource} id={id} formerName={formerNameOf(entry)} />;
  const text = <span style={{ whiteSpace: 'nowrap' }}>{`${type} ${shortId(id)}`}</span>;
  return resource ? <TextLink to={recordAt(resource, id)}>{text}</TextLink> : text;
};

/** An entry about a deletion keeps the name. */
export const formerNameOf = ({ data: { name } }: Schemas['AuditEntryView']) =>
  typeof name === 'string' ? name : undefined;
