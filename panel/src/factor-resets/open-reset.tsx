import { Box } from '@mui/material';
import { Field, FieldList } from '../components/field-list';
import { RecordLink } from '../components/links';
import { Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { ResetActions } from './reset-actions';
import { ResetDeadline } from './reset-deadline';
import { useOpenReset } from './use-open-reset';

/** The open request to reset the second factor of a user, if there is one. */
export const OpenReset = ({ userId }: { userId: string }) => {
  const reset = useOpenReset(userId);
  if (!reset) return null;
  return (
    <Box sx={{ mb: 2 }}>
      <Section title="Reset of the second factor" aside={<ResetActions reset={reset} />}>
        <FieldList>
          <Field name="State">
            <StatusChip state={reset.state} />
          </Field>
          <Field name="Requested">
            <Timestamp at={reset.requestedAt} full />
          </Field>
          <Field name="Requested by">
            <RecordLink resource="users" id={reset.requestedBy} />
          </Field>
          <Field name="Approved by">{reset.approvedBy && <RecordLink resource="users" id={reset.approvedBy} />}</Field>
          <Field name="Happens">
            <ResetDeadline reset={reset} full />
          </Field>
          <Field name="Reason" isWide>
            {reset.reason}
          </Field>
        </FieldList>
      </Section>
    </Box>
  );
};
