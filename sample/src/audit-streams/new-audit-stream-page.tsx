import { NewReceiver } from '../receivers/new-receiver';
import { api } from '../session';
import { StreamForm } from './stream-form';
import { startOf } from './stream-terms';
import { AUDIT_STREAMS } from './stream-texts';

/** Creates an audit stream, and shows its secret. */
export default function NewAuditStreamPage() {
  return (
    <NewReceiver kind={AUDIT_STREAMS}>
      {(form) => (
        <StreamForm
          {...form}
          send={(choice, values) =>
            api.POST('/tenants/current/audit-streams', { body: { ...choice, from: startOf(values) } })
          }
        />
      )}
    </NewReceiver>
  );
}
