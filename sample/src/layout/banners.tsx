import { Alert, type AlertColor, Button, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Link, useLocation } from 'react-router';
import { PortalButton } from '../billing/portal-button';
import { daysUntil, longDate, timeOfDay } from '../date-format';
import { useMe } from '../queries';
import { stopImpersonating, useClaims, useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { DeletionBanner } from './deletion-banner';

/** Shown on every page: an impersonation, a planned deletion, and the subscription. */
export function Banners() {
  const subscription = useMe().data?.subscription;
  return (
    <Stack>
      <ImpersonationBanner />
      <DeletionBanner />
      {subscription && <SubscriptionBanner subscription={subscription} />}
    </Stack>
  );
}

function ImpersonationBanner() {
  const claims = useClaims();
  if (!claims?.impersonator_id) return null;
  const stop = (
    <Button color="inherit" variant="outlined" size="small" sx={{ whiteSpace: 'nowrap' }} onClick={stopImpersonating}>
      Stop impersonating
    </Button>
  );
  return (
    <Alert role="status" severity="warning" variant="filled" square action={stop} sx={ACTION_BELOW}>
      You’re impersonating {claims.name} ({claims.email}) until {timeOfDay(claims.exp * 1000)}. Everything you do is
      logged under your name.
    </Alert>
  );
}

/** On a phone the button is below the text. */
const ACTION_BELOW = {
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  '& .MuiAlert-message': { flex: { xs: '1 1 70%', sm: 1 } },
  '& .MuiAlert-action': { ml: { xs: 2.25, sm: 'auto' }, pt: { xs: 0, sm: 0.5 }, pb: { xs: 1, sm: 0 } },
};

/** Members without access to billing see plan and status only. */
type Subscription = Schemas['SubscriptionSummaryView'] & Partial<Schemas['SubscriptionView']>;

function SubscriptionBanner({ subscription }: { subscription: Subscription }) {
  const canPay = useHasPermission()('tenant.billing.manage');
  const billing = useWorkspacePath()('/billing');
  const isOnBilling = useLocation().pathname === billing;
  const notice = noticeFor(subscription);
  if (!notice) return null;
  const toBilling = !isOnBilling && (
    <Button component={Link} to={billing} color="inherit" size="small">
      Billing
    </Button>
  );
  const action = canPay && (subscription.status === 'PastDue' ? <PortalButton label="Update payment" /> : toBilling);
  return (
    <Alert role="status" severity={notice.severity} square action={action || undefined}>
      {notice.text} {!canPay && notice.severity !== 'info' && 'Please contact the workspace owner.'}
    </Alert>
  );
}

function noticeFor({
  plan,
  status,
  trialEndsAt,
  currentPeriodEnd,
  cancelAtPeriodEnd,
}: Subscription): { severity: AlertColor; text: string } | undefined {
  const end = status === 'Trialing' ? trialEndsAt : currentPeriodEnd;
  const ending = `${plan} ends ${end ? `on ${longDate(end)}` : 'soon'}. After that, this workspace is on Free.`;
  if (status === 'PastDue') return { severity: 'error', text: `The last payment for ${plan} failed.` };
  if (status === 'Paused')
    return { severity: 'warning', text: `${plan} is paused. This workspace is on Free until it resumes.` };
  if (status === 'Canceled') return { severity: 'info', text: `${plan} has ended. This workspace is on Free.` };
  if (cancelAtPeriodEnd) return { severity: 'warning', text: ending };
  if (status === 'Trialing')
    return {
      severity: 'info',
      text: end ? `${daysUntil(end)} left in your ${plan} trial.` : `You’re on a ${plan} trial.`,
    };
  return undefined;
}
