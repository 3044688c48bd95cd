import { Box, FormControl, FormControlLabel, FormLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { type ApiError, type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { longDate } from '../date-format';
import { QueryResult } from '../list/query-result';
import { isRetryable } from '../queries';
import { api } from '../session';
import { money } from './money-format';
import { type Moment, nextPaymentAt, type PlanTarget, usualMoment } from './plan-change';

type View = Schemas['SubscriptionView'];

interface ChangePreviewProps {
  readonly subscription: View;
  readonly target: PlanTarget;
}

/** The field for the time of a change, and what the change costs then. */
export function ChangePreview({ subscription, target }: ChangePreviewProps) {
  const [when, setWhen] = useState<Moment>(() => usualMoment(subscription, target));
  const labelId = useId();
  const labels = momentLabels(subscription, target);
  return (
    <>
      <FormControl>
        <FormLabel id={labelId}>When</FormLabel>
        <RadioGroup
          aria-labelledby={labelId}
          name="when"
          value={when}
          onChange={(_event, chosen) => setWhen(chosen as Moment)}
        >
          <FormControlLabel value="now" control={<Radio size="small" />} label={labels.now} />
          <FormControlLabel value="period-end" control={<Radio size="small" />} label={labels['period-end']} />
        </RadioGroup>
      </FormControl>
      <Costs {...{ subscription, target, when }} />
      {subscription.pendingChange && (
        <Typography variant="body2" color="textSecondary">
          This replaces the change that is scheduled for {longDate(subscription.pendingChange.at)}.
        </Typography>
      )}
    </>
  );
}

/** During a trial both cost nothing today: the difference is the plan until the trial ends. */
function momentLabels(
  { plan, status, trialEndsAt, currentPeriodEnd }: View,
  target: PlanTarget,
): Record<Moment, string> {
  const at = status === 'Trialing' ? (trialEndsAt ?? currentPeriodEnd) : currentPeriodEnd;
  const on = at ? `, on ${longDate(at)}` : '';
  if (status !== 'Trialing') return { now: 'Now', 'period-end': `At the end of the period${on}` };
  if (target.planName === plan) return { now: 'Now', 'period-end': `When the trial ends${on}` };
  return {
    now: `Now: use ${target.planName} for the rest of your trial`,
    'period-end': `When the trial ends${on}: use ${plan} until then`,
  };
}

/** Another request, such as the sync of the page, may just be reading the subscription. */
const isWorthRetrying = (error: ApiError) => isRetryable(error) || error.failure.code === 'CONFLICT';

function Costs({ subscription, target, when }: ChangePreviewProps & { when: Moment }) {
  const costs = useQuery({
    queryKey: ['plan-change', target.planName, target.interval, when],
    queryFn: async () => {
      const body = { ...target, when, preview: true };
      return unwrap(await api.POST('/billing/change', { body })).preview;
    },
    retry: (count, error) => count < 3 && isWorthRetrying(error),
    gcTime: 0,
    meta: { isOnce: true },
  });
  return (
    <Box sx={{ px: 2, py: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, minHeight: 92 }}>
      <QueryResult from={costs}>
        {(preview) => preview && <Amounts {...{ subscription, target, when, preview }} />}
      </QueryResult>
    </Box>
  );
}

interface AmountsProps extends ChangePreviewProps {
  readonly when: Moment;
  readonly preview: Schemas['ChangePreviewView'];
}

function Amounts({ subscription, target, when, preview }: AmountsProps) {
  const { currency, amountDueNow, nextAmount, lines } = preview;
  const next = longDate(nextPaymentAt(subscription, target, preview, when));
  const isTrialing = when === 'now' && subscription.status === 'Trialing';
  return (
    <>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 0.5 }}>
        {amountDueNow > 0 &&
          lines.map(({ description, amount }, index) => (
            <Amount key={index} label={description} value={money(amount, currency)} isDetail />
          ))}
        <Amount label="Due today" value={money(amountDueNow, currency)} />
        <Amount label={`From ${next}`} value={`${money(nextAmount, currency)} / ${target.interval}`} />
      </Box>
      {isTrialing && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          Your trial continues.
        </Typography>
      )}
    </>
  );
}

function Amount({ label, value, isDetail }: { label: string; value: string; isDetail?: boolean }) {
  const color = isDetail ? 'textSecondary' : 'textPrimary';
  return (
    <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
      <Typography component="dt" variant="body2" color={color} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {label}
      </Typography>
      <Typography
        component="dd"
        variant="body2"
        color={color}
        sx={{ m: 0, whiteSpace: 'nowrap', fontWeight: isDetail ? 400 : 600, fontVariantNumeric: 'tabular-nums' }}
      >
        {value}
      </Typography>
    </Box>
  );
}
