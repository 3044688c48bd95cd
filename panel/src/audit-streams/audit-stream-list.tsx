import type { Schemas } from '@tenantry/client';
import { ReceiverList } from '../receivers/receiver-list';
import { progressText } from './stream-progress';

const EMPTY = ['No audit streams yet.', 'No audit stream matches the filters.'] as const;

/** Audit streams of all tenants. */
const AuditStreamList = () => (
  <ReceiverList<Schemas['AdminAuditStreamView']>
    title="Audit streams"
    resource="audit-streams"
    empty={EMPTY}
    column={['Progress', progressText]}
  />
);

export default AuditStreamList;
