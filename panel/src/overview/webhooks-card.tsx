import type { Schemas } from '@tenantry/client';
import { Chart } from '../charts/chart';
import { Stat, Stats } from '../components/stats';
import { listAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { Section } from '../components/section';
import { labelOf } from '../labels';

interface WebhooksCardProps {
  readonly counts: Schemas['OverviewView']['webhookEvents'];
  readonly lag: Schemas['WebhookLagView'];
  readonly hours?: readonly Schemas['WebhookHourView'][];
}

const STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'] as const;
const TONES = { failed: 'error', 'needs-attention': 'warning' } as const;
const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const seconds = (value: number | null) =>
  value === null ? '–' : `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;

/** What the processor tells, what became of it, and how long it was on its way. */
export const WebhooksCard = ({ counts, lag, hours = [] }: WebhooksCardProps) => (
  <Section
    title="Webhook events"
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
      <Stat name="Median lag" value={seconds(lag.medianSeconds)} />
      <Stat name="95 % within" value={seconds(lag.p95Seconds)} />
    </Stats>
    <Chart
      label={`Lag of webhook events per hour; at present half of them arrive within ${seconds(lag.medianSeconds)}`}
      kind="lines"
      times={hours.map(({ at }) => new Date(at))}
      tick={(at) => HOUR.format(at)}
      unit=" s"
      series={[
        { name: 'Median lag', tone: 'primary', values: hours.map(({ medianSeconds }) => medianSeconds) },
        { name: '95 % within', tone: 'warning', values: hours.map(({ p95Seconds }) => p95Seconds) },
      ]}
    />
  </Section>
);
