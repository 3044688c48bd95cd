import { useParams } from 'react-router';
import { exactTime, longDate } from '../date-format';
import { FeatureNotice } from '../billing/feature-notice';
import { ReceiverDetails } from '../receivers/receiver-details';
import { ReceiverPage } from '../receivers/receiver-page';
import { ReceiverSigning } from '../receivers/receiver-signing';
import { api } from '../session';
import { StreamNotice } from './stream-notice';
import { type AuditStream, useAuditStream } from './stream-queries';
import { StreamSwitch } from './stream-switch';
import { AUDIT_STREAMS, progressText } from './stream-texts';
import { TestStreamButton } from './test-stream-button';

/** An audit stream: its state, how far it is, and its keys. */
export default function AuditStreamPage() {
  const { id = '' } = useParams();
  const params = { path: { id } };
  return (
    <ReceiverPage
      kind={AUDIT_STREAMS}
      from={useAuditStream(id)}
      action={(stream) => <TestStreamButton stream={stream} />}
    >
      {(stream) => (
        <>
          <FeatureNotice name="auditStreaming" nouns="Audit streams" />
          <StreamNotice stream={stream} />
          <ReceiverDetails
            kind={AUDIT_STREAMS}
            receiver={stream}
            facts={factsOf(stream)}
            deletion="Your receiver gets no more entries, and a new stream does not know what it already has."
            remove={() => api.DELETE('/tenants/current/audit-streams/{id}', { params })}
          >
            <StreamSwitch stream={stream} />
          </ReceiverDetails>
          <ReceiverSigning
            receiver={stream}
            rotate={(body) => api.POST('/tenants/current/audit-streams/{id}/rotate-secret', { params, body })}
          />
        </>
      )}
    </ReceiverPage>
  );
}

const factsOf = (stream: AuditStream) => [
  { name: 'Progress', value: progressText(stream) },
  { name: 'Last success', value: stream.lastSuccessAt ? exactTime(stream.lastSuccessAt) : 'Nothing was sent yet' },
  { name: 'Last error', value: stream.lastError },
  { name: 'Authorization', value: stream.hasAuthorization ? 'Header set, never shown' : 'No header' },
  { name: 'Created', value: longDate(stream.createdAt) },
];
