import { Button, Chip, Paper, Stack, Typography } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { api, useImpersonationBlock } from '../session';
import { effectivePlan, isLive } from './subscription-summary';

interface PlanCardProps {
  readonly plan: Schemas['PlanView'];
  readonly current: Schemas['SubscriptionView'];
  readonly canPay: boolean;
}

/** A plan, and the button that starts its checkout. */
export function PlanCard({ plan: { name, limits, trialDays, available }, current, canPay }: PlanCardProps) {
  const blocked = useImpersonationBlock();
  const isCurrent = effectivePlan(current) === name;
  const hasTrial = trialDays > 0 && current.processorSubscriptionId === null;
  const startingCheckout = useMutation({
    mutationFn: async (planName: 'Pro' | 'Business') =>
      unwrap(await api.POST('/billing/checkout', { body: { planName } })),
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  });
  const disabledReason =
    blocked ??
    (!canPay ? 'You don’t have permission to change the plan.' : undefined) ??
    (!available ? 'Plan unavailable.' : undefined) ??
    (isLive(current) ? 'To switch plans, use “Manage subscription”.' : undefined);
  return (
    <Paper
      variant="outlined"
      sx={{
        p: { xs: 2, sm: 3 },
        display: 'flex',
        flexDirection: 'column',
        gap: 1.5,
        ...(isCurrent && { borderColor: 'primary.main', boxShadow: 'inset 0 0 0 1px var(--mui-palette-primary-main)' }),
      }}
    >
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', minHeight: 28 }}>
        <Typography variant="h2">{name}</Typography>
        {isCurrent && <Chip size="small" color="primary" label="Current plan" />}
      </Stack>
      <Typography sx={{ flexGrow: 1 }} color="textSecondary">
        {limits.projects === null ? 'Unlimited projects.' : `Up to ${limits.projects} projects.`}
        {hasTrial && ` ${trialDays}-day free trial.`}
      </Typography>
      {name !== 'Free' && !isCurrent && (
        <Button
          variant="contained"
          fullWidth
          disabled={Boolean(disabledReason)}
          loading={startingCheckout.isPending}
          onClick={() => startingCheckout.mutate(name)}
        >
          Choose {name}
        </Button>
      )}
      {name !== 'Free' && !isCurrent && disabledReason && (
        <Typography variant="body2" color="textSecondary">
          {disabledReason}
        </Typography>
      )}
    </Paper>
  );
}
