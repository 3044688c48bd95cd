import { Stack, TextField } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { hasReason, READ_BY_TENANT, ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import { dayIn, dayOf, endOfDay, formatter } from '../date-format';
import { DayPresets } from './day-presets';

/** The latest end that the API accepts, in days from now. */
const MOST_DAYS = 90;

const day = formatter({ dateStyle: 'medium' });

interface ExtendTrialProps {
  readonly tenant: Schemas['AdminTenantDetailView'];
  /** The current end. */
  readonly endsAt: string;
}

/** Moves the end of a trial, at Stripe too. */
export const ExtendTrial = ({ tenant, endsAt }: ExtendTrialProps) => {
  const current = new Date(endsAt);
  const [lastDay, setLastDay] = useState('');
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<Readonly<Record<string, readonly string[]>>>({});
  const { act, isBusy } = useAction();
  const reset = () => {
    setLastDay('');
    setReason('');
    setWrong({});
  };
  const extend = (fail: (problem: unknown) => void) => {
    setWrong({});
    return act(
      () =>
        api.POST('/admin/tenants/{id}/trial', {
          params: { path: { id: tenant.id } },
          body: { endsAt: endOfDay(lastDay), reason: reason.trim() },
        }),
      ({ trialEndsAt }) => `The trial of ${tenant.name} ends on ${day(new Date(trialEndsAt ?? endsAt))}.`,
      {
        fail: (problem) => {
          setWrong((problem instanceof ApiError && problem.details) || {});
          fail(problem);
        },
      },
    );
  };
  return (
    <ConfirmDialog
      label="Extend trial"
      loading={isBusy}
      title="Extend trial"
      confirm="Extend"
      isComplete={lastDay !== '' && hasReason(reason)}
      onOpen={reset}
      onConfirm={extend}
    >
      <Stack sx={{ gap: 2, pt: 1 }}>
        <DayPresets from={current} value={lastDay} onChange={setLastDay} />
        <TextField
          type="date"
          label="Last day of the trial"
          required
          fullWidth
          value={lastDay}
          error={'endsAt' in wrong}
          helperText={
            wrong.endsAt?.join(', ') ?? `Currently ends on ${day(current)}. Nothing is charged before the new end.`
          }
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: { min: dayOf(dayIn(1, current)), max: dayOf(dayIn(MOST_DAYS - 1, new Date())) },
          }}
          onChange={({ target }) => setLastDay(target.value)}
        />
        <ReasonField
          value={reason}
          onChange={setReason}
          placeholder="Waiting for a security review"
          helperText={wrong.reason?.join(', ') ?? READ_BY_TENANT}
        />
      </Stack>
    </ConfirmDialog>
  );
};
