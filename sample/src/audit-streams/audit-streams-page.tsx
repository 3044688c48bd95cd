import { useEntitlement } from '../billing/entitlements';
import { FeatureNotice } from '../billing/feature-notice';
import { DocsLink } from '../layout/docs-link';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { ReceiverList } from '../receivers/receiver-list';
import { api } from '../session';
import { AUDIT_STREAMS, progressText } from './stream-texts';

const EMPTY =
  'No audit streams yet. Create one for a system that should have the audit log, ' +
  'such as one that monitors security or keeps records for longer.';

/** How many streams a workspace can have. */
const MOST = 2;
const TOO_MANY = 'A workspace can have two audit streams. Delete one first.';

/** The receivers to which the audit log of the workspace is sent. */
export default function AuditStreamsPage() {
  const isIncluded = useEntitlement('auditStreaming')?.isIncluded ?? false;
  const pages = usePagedQuery(
    'audit-streams',
    (query) => api.GET('/tenants/current/audit-streams', { params: { query } }),
    SHARED_LIST_REFRESH_MS,
  );
  const count = pages.data?.pages.flatMap(({ items }) => items).length ?? 0;
  const text = (
    <>
      Each entry of the audit log is sent to your systems, signed and in order. <DocsLink topic="audit-streams" />
    </>
  );
  return (
    <ReceiverList
      kind={AUDIT_STREAMS}
      {...{ text, pages }}
      empty={EMPTY}
      about={(stream) => [progressText(stream), stream.lastError?.replace(/\.$/, '')]}
      canCreate={isIncluded}
      fullReason={count >= MOST ? TOO_MANY : undefined}
    >
      <FeatureNotice name="auditStreaming" nouns="Audit streams" />
    </ReceiverList>
  );
}
