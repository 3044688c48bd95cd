import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { FormDialog } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import { ChangePreview } from './change-preview';
import { INTERVALS, type Moment, type PlanTarget } from './plan-change';
import { PortalButton } from './portal-button';

interface ChangePlanButtonProps {
  readonly subscription: Schemas['SubscriptionView'];
  readonly target: PlanTarget;
  readonly isDisabled: boolean;
}

/** Changes the subscription to another plan or interval, after showing what that costs. */
export function ChangePlanButton({ subscription, target, isDisabled }: ChangePlanButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const showToast = useToast();
  const { planName, interval } = target;
  const isSamePlan = planName === subscription.plan;
  const label = isSamePlan ? `Switch to ${INTERVALS[interval]}` : `Switch to ${planName}`;
  return (
    <>
      <Button variant="contained" fullWidth disabled={isDisabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog
        isOpen={isOpen}
        close={() => setOpen(false)}
        title={
          isSamePlan
            ? `Switch ${planName} to ${INTERVALS[interval]} billing?`
            : `${label}, billed ${INTERVALS[interval]}?`
        }
        submit={label}
        send={({ when }) => api.POST('/billing/change', { body: { ...target, when: when as Moment } })}
        onDone={(_data, { when }) =>
          showToast(when === 'now' ? 'Plan changed.' : 'Plan change scheduled.', 'subscription')
        }
        errorAction={({ code }) => UNPAID.includes(code) && <PortalButton label="Update payment" variant="outlined" />}
      >
        <ChangePreview subscription={subscription} target={target} />
      </FormDialog>
    </>
  );
}

/** What is resolved in the billing portal. */
const UNPAID: readonly string[] = ['PAYMENT_DUE', 'PAYMENT_FAILED'];
