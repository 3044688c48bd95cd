import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';
import type { Entitlement } from './entitlements';
import { type Plan, usePlans } from './plan-prices';

interface LimitDialogButtonProps {
  /** The label of the button, and the title of the dialog. */
  readonly button: string;
  /** The limit that is reached. */
  readonly entitlement: Entitlement;
  /** What is counted, as a plural. */
  readonly noun: string;
  /** How to stay below the limit. */
  readonly hint: string;
}

/** In place of a form that could only fail: says what the plan includes, and which one has more. */
export function LimitDialogButton({ button, entitlement, noun, hint }: LimitDialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const canPay = useHasPermission()('tenant.billing.manage');
  const path = useWorkspacePath();
  const { limit, source } = entitlement;
  const larger = largerPlan(usePlans().data ?? [], entitlement);
  const more = larger && `${larger.name} has ${larger.limit === null ? 'no limit' : `${larger.limit}`}.`;
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        {button}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="xs" aria-labelledby={id}>
        <DialogTitle id={id}>{button}</DialogTitle>
        <DialogContent>
          <DialogContentText>
            {source === 'Override' ? 'This workspace' : source} includes {limit} {noun}. {more}
          </DialogContentText>
          <DialogContentText sx={{ mt: 1.5 }}>
            {hint} {larger && !canPay && `To upgrade, ask the workspace owner.`}
          </DialogContentText>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={close}>
            Close
          </Button>
          {larger && canPay && (
            <Button component={Link} to={path('/billing')} variant="contained">
              See plans
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}

/** The first plan that allows more, in the order of the plans. */
function largerPlan(plans: readonly Plan[], { name, limit }: Entitlement) {
  const offers = plans.map((plan) => ({
    name: plan.name,
    limit: plan.entitlements.find((one) => one.name === name)?.value,
  }));
  return offers.find(
    (offer) => offer.limit === null || (typeof offer.limit === 'number' && offer.limit > (limit ?? 0)),
  );
}
