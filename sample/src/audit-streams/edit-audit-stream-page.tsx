import { useParams } from 'react-router';
import { EditReceiver } from '../receivers/edit-receiver';
import { api } from '../session';
import { StreamForm } from './stream-form';
import { useAuditStream } from './stream-queries';
import { AUDIT_STREAMS } from './stream-texts';

/** Changes the address, the description and the header Authorization of an audit stream. */
export default function EditAuditStreamPage() {
  const { id = '' } = useParams();
  const params = { path: { id } };
  return (
    <EditReceiver kind={AUDIT_STREAMS} id={id} from={useAuditStream(id)}>
      {(stream, form) => (
        <StreamForm
          {...form}
          key={stream.id}
          stream={stream}
          send={(body) => api.PATCH('/tenants/current/audit-streams/{id}', { params, body })}
        />
      )}
    </EditReceiver>
  );
}
