import { Alert } from '@mui/material';
import { dateTime } from '../date-format';
import { disabledText } from '../receivers/receiver-texts';
import type { AuditStream } from './stream-queries';
import { AUDIT_STREAMS } from './stream-texts';

/** What is wrong with a stream, and what happens next. Nothing if all is well. */
export function StreamNotice({ stream }: { stream: AuditStream }) {
  const disabled = disabledText(stream, AUDIT_STREAMS);
  if (disabled) {
    return (
      <Alert severity={stream.disabledWhy === 'user' ? 'info' : 'warning'}>
        {disabled} Nothing is sent. Resumed, it continues where it stopped, as far as the audit log still has the
        entries.
      </Alert>
    );
  }
  if (!stream.failingSince) return null;
  return (
    <Alert severity="warning">
      Every attempt has failed since {dateTime(stream.failingSince)}. Nothing is lost: the same entries are sent again,
      about every half hour. After five days of failures only, the audit stream is disabled.
    </Alert>
  );
}
