import { upgradeAction } from '../billing/upgrade-prompt';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { operatorBlock } from '../receivers/receiver-texts';
import { api, useImpersonationBlock } from '../session';
import type { AuditStream } from './stream-queries';

/** Pauses an audit stream, or resumes it. */
export function StreamSwitch({ stream }: { stream: AuditStream }) {
  const { id, disabledAt } = stream;
  const showToast = useToast();
  const blocked = useImpersonationBlock() ?? operatorBlock(stream);
  const enabled = disabledAt !== null;
  const dialog = {
    disabledReason: blocked,
    errorAction: upgradeAction,
    send: () => api.PATCH('/tenants/current/audit-streams/{id}', { params: { path: { id } }, body: { enabled } }),
  };
  if (enabled) {
    return (
      <DialogButton
        {...dialog}
        button="Resume"
        title="Resume this audit stream?"
        text="It continues within a minute, with the first entry that your receiver does not have."
        submit="Resume"
        onDone={() => showToast('Audit stream resumed.')}
      />
    );
  }
  return (
    <DialogButton
      {...dialog}
      button="Pause"
      title="Pause this audit stream?"
      text="Nothing is sent until you resume it. It keeps its place, as long as the audit log keeps the entries."
      submit="Pause"
      onDone={() => showToast('Audit stream paused.')}
    />
  );
}
