import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { moneyText } from './money-format';
import type { Line } from './revenue-series';

/** The present subscriptions and what they pay, by plan and currency. */
export const PlanTable = ({ lines }: { lines: readonly Line[] }) => {
  const money = (name: 'mrr' | 'trialMrr') => (line: Line) =>
    line.currency === null || line.unpriced === countOf(line) ? '–' : moneyText(line[name], line.currency);
  return (
    <Section title="Now, by plan" flush>
      <DataRows
        rows={lines.filter((line) => countOf(line) > 0)}
        keyOf={({ plan, currency }) => `${plan} ${currency}`}
        columns={{
          Plan: ({ plan }) => (plan === 'Free' ? 'Price of no plan' : plan),
          Currency: ({ currency }) => currency?.toUpperCase() ?? 'Not known',
          Active: ({ active }) => active.toLocaleString(),
          'Past due': ({ pastDue }) => pastDue.toLocaleString(),
          Trials: ({ trialing }) => trialing.toLocaleString(),
          'Without amount': ({ unpriced }) => unpriced.toLocaleString(),
          MRR: money('mrr'),
          'From trials': money('trialMrr'),
        }}
        numbers={['Active', 'Past due', 'Trials', 'Without amount', 'MRR', 'From trials']}
        empty="No paid subscription and no trial"
      />
    </Section>
  );
};

const countOf = ({ active, pastDue, trialing }: Line) => active + pastDue + trialing;
