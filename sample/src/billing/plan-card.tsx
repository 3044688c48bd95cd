import { Button, Chip, Paper, Stack, Typography } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { api, useImpersonationBlock } from '../session';
import { isLive, effectivePlan } from './subscription-summary';

interface PlanCardProps {
  readonly plan: Schemas['PlanView'];
  readonly current: Schemas['SubscriptionView'];
  readonly canPay: boolean;
}

/** A plan, and the way to have it. */
export function PlanCard({ plan: { name, limits, trialDays, available }, current, canPay }: PlanCardProps) {
  const blocked = useImpersonationBlock();
  const isCurrent = effectivePlan(current) === name;
  const hasTrial = trialDays > 0 && current.processorSubscriptionId === null;
  const paying = useMutation({
    mutationFn: async (planName: 'Pro' | 'Business') =>
      unwrap(await api.POST('/billing/checkout', { body: { planName } })),
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  });
  const disabledReason =
    blocked ??
    (!canPay ? 'Only the owner of this workspace can choose a plan.' : undefined) ??
    (!available ? 'This plan is not on offer here.' : undefined) ??
    (isLive(current) ? 'You have a subscription: change it with “Manage subscription”.' : undefined);
  return (
    <Paper
      variant="outlined"
      sx={{
        p: 3,
        display: 'flex',
        flexDirection: 'column',
        gap: 1.5,
        ...(isCurrent && { borderColor: 'primary.main', borderWidth: 2 }),
      }}
    >
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography variant="h2">{name}</Typography>
        {isCurrent && <Chip size="small" color="primary" label="Your plan" />}
      </Stack>
      <Typography sx={{ flexGrow: 1 }} color="textSecondary">
        {limits.projects === null ? 'As many projects as you like' : `Up to ${limits.projects} projects`}
        {hasTrial && `, and ${trialDays} days free to begin with`}.
      </Typography>
      {name !== 'Free' && !isCurrent && (
        <Button
          variant="contained"
          fullWidth
          disabled={Boolean(disabledReason)}
          loading={paying.isPending}
          onClick={() => paying.mutate(name)}
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
