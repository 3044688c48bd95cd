import type { Schemas } from '@tenantry/client';
import { Chart, ChartSkeleton } from '../charts/chart';
import { clock, dayAndClock } from '../charts/time-format';
import { listAt } from '../components/links';
import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { Timestamp } from '../components/timestamp';
import { formatDuration } from '../duration-format';
import { labelOf } from '../labels';

interface WebhooksCardProps {
  readonly counts: Schemas['OverviewView']['webhookEvents'];
  readonly lag: Schemas['WebhookLagView'];
  readonly hours?: readonly Schemas['WebhookHourView'][];
}

const STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'] as const;
const TONES = { failed: 'error', 'needs-attention': 'warning' } as const;

/** Webhook events by status, and the lag between Stripe and the service. */
export const WebhooksCard = ({ counts, lag, hours }: WebhooksCardProps) => (
  <Section
    title="Stripe events"
    aside={
      <span>
        Last received <Timestamp at={lag.lastReceivedAt} />
      </span>
    }
  >
    <Stats>
      {STATUSES.map((status) => (
        <Stat
          key={status}
          name={labelOf(status)}
          value={counts[status]}
          to={listAt('webhook-events', { status })}
          tone={status in TONES ? TONES[status as keyof typeof TONES] : undefined}
        />
      ))}
      <Stat name="Median lag" value={formatDuration(lag.medianSeconds)} />
      <Stat name="p95 lag" value={formatDuration(lag.p95Seconds)} />
    </Stats>
    {hours ? <LagChart hours={hours} /> : <ChartSkeleton />}
  </Section>
);

/** In milliseconds as long as all of it is below a second. */
const LagChart = ({ hours }: { hours: readonly Schemas['WebhookHourView'][] }) => {
  const isBrief = hours.every(({ p95Seconds }) => (p95Seconds ?? 0) < 1);
  const scaled = (seconds: number | null) =>
    seconds === null ? null : isBrief ? Math.round(seconds * 1000) : Math.round(seconds * 10) / 10;
  return (
    <Chart
      label="Lag of webhook events per hour, in the last 24 hours"
      empty="No events in the last 24 hours"
      kind="lines"
      times={hours.map(({ at }) => new Date(at))}
      tick={clock}
      full={dayAndClock}
      unit={isBrief ? ' ms' : ' s'}
      series={[
        { name: 'Median lag', tone: 'primary', values: hours.map(({ medianSeconds }) => scaled(medianSeconds)) },
        { name: 'p95 lag', tone: 'warning', values: hours.map(({ p95Seconds }) => scaled(p95Seconds)) },
      ]}
    />
  );
};
