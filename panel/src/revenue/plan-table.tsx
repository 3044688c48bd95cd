import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { moneyText } from './money-format';
import type { Line } from './revenue-series';

/** The current subscriptions and their revenue, by plan and currency. */
export const PlanTable = ({ lines }: { lines: readonly Line[] }) => {
  const money = (name: 'mrr' | 'trialMrr') => (line: Line) =>
    line.currency === null || line.unpriced === countOf(line) ? '–' : moneyText(line[name], line.currency);
  return (
    <Section title="Current subscriptions" flush>
      <DataRows
        rows={lines.filter((line) => countOf(line) > 0)}
        keyOf={({ plan, currency }) => `${plan} ${currency}`}
        columns={{
          Plan: ({ plan }) => (plan === 'Free' ? 'Unknown plan' : plan),
          Currency: ({ currency }) => currency?.toUpperCase() ?? 'Unknown',
          Active: ({ active }) => active.toLocaleString(),
          'Past due': ({ pastDue }) => pastDue.toLocaleString(),
          Trials: ({ trialing }) => trialing.toLocaleString(),
          'Unknown amount': ({ unpriced }) => unpriced.toLocaleString(),
          MRR: money('mrr'),
          'Trial MRR': money('trialMrr'),
        }}
        numbers={['Active', 'Past due', 'Trials', 'Unknown amount', 'MRR', 'Trial MRR']}
        empty="No paid subscriptions or trials"
      />
    </Section>
  );
};

const countOf = ({ active, pastDue, trialing }: Line) => active + pastDue + trialing;
