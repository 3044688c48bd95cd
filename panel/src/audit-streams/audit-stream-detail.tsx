import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { DetailPage } from '../components/detail-page';
import { Field } from '../components/field-list';
import { PageHeader } from '../components/page-header';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { ReceiverAccessButton } from '../receivers/receiver-access-button';
import { ReceiverSections } from '../receivers/receiver-sections';
import { stateOf } from '../receivers/receiver-state';
import { progressText } from './stream-progress';

type Stream = Schemas['AdminAuditStreamView'];

/** An audit stream of a tenant: its state and how far it is, without entries. */
const AuditStreamDetail = () => (
  <DetailPage<Stream> list="Audit streams" noun="Audit stream">
    {(stream) => (
      <>
        <PageHeader
          title={stream.host}
          within={{ to: '/audit-streams', name: 'Audit streams' }}
          beside={<StatusChip state={stateOf(stream)} />}
        >
          <AccessButton stream={stream} />
        </PageHeader>
        <ReceiverSections receiver={stream} title="Audit stream">
          <Field name="Answers">{stream.isSlow ? 'Slowly, or not yet' : 'In time'}</Field>
          <Field name="Progress">{progressText(stream)}</Field>
          <Field name="Last success">{stream.lastSuccessAt && <Timestamp at={stream.lastSuccessAt} full />}</Field>
          <Field name="Last error">{stream.lastError}</Field>
        </ReceiverSections>
      </>
    )}
  </DetailPage>
);

const AccessButton = ({ stream }: { stream: Stream }) => {
  const params = { path: { id: stream.id } };
  return (
    <ReceiverAccessButton
      receiver={stream}
      noun="audit stream"
      enable={() => api.POST('/admin/audit-streams/{id}/enable', { params })}
      disable={(body) => api.POST('/admin/audit-streams/{id}/disable', { params, body })}
      enabling="It continues where it stopped, within a minute."
      disabling="It gets nothing, the Owner is told, and members cannot enable it. It keeps its place."
    />
  );
};

export default AuditStreamDetail;
