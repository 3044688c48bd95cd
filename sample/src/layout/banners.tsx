import { Alert, type AlertColor, Button, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Link, useLocation, useNavigate } from 'react-router';
import { PortalButton } from '../billing/portal-button';
import { useMe } from '../queries';
import { api, useClaims, useHasPermission } from '../session';
import { clock, day, daysUntil } from '../date-format';

/** What has to be known on every page: who acts here, and how it stands with the subscription. */
export function Banners() {
  const subscription = useMe().data?.subscription;
  return (
    <Stack>
      <ImpersonationBanner />
      {subscription && <SubscriptionBanner subscription={subscription} />}
    </Stack>
  );
}

function ImpersonationBanner() {
  const claims = useClaims();
  const navigate = useNavigate();
  if (!claims?.impersonator_id) return null;
  const leave = (
    <Button color="inherit" variant="outlined" size="small" onClick={() => void api.logOut().then(() => navigate('/'))}>
      Stop acting
    </Button>
  );
  return (
    <Alert role="status" severity="warning" variant="filled" square action={leave}>
      You act as {claims.name} ({claims.email}), until {clock(claims.exp * 1000)}; what you do is written down with your
      name.
    </Alert>
  );
}

/** Whoever may not read the billing sees plan and status only. */
type Subscription = Schemas['SubscriptionSummaryView'] & Partial<Schemas['SubscriptionView']>;

function SubscriptionBanner({ subscription }: { subscription: Subscription }) {
  const canPay = useHasPermission()('tenant.billing.manage');
  const isOnBilling = useLocation().pathname === '/billing';
  const note = noticeFor(subscription);
  if (!note) return null;
  const toBilling = !isOnBilling && (
    <Button component={Link} to="/billing" color="inherit" size="small">
      Billing
    </Button>
  );
  const action = canPay && (subscription.status === 'PastDue' ? <PortalButton caption="Update payment" /> : toBilling);
  return (
    <Alert role="status" severity={note.severity} square action={action || undefined}>
      {note.text} {!canPay && note.severity !== 'info' && 'Please ask the owner of this workspace.'}
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
  const last = `${plan} ends${end ? ` on ${day(end)}` : ' soon'}; after that this workspace is on Free.`;
  if (status === 'PastDue') return { severity: 'error', text: `The last payment for ${plan} did not go through.` };
  if (status === 'Paused')
    return { severity: 'warning', text: `${plan} is paused. Meanwhile this workspace is on Free.` };
  if (status === 'Canceled') return { severity: 'info', text: `${plan} has ended. This workspace is on Free.` };
  if (cancelAtPeriodEnd) return { severity: 'warning', text: last };
  if (status === 'Trialing')
    return {
      severity: 'info',
      text: `You are trying ${plan}: ${end ? `${daysUntil(end)} left.` : 'it is free for now.'}`,
    };
  return undefined;
}
