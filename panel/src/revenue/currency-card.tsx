import type { Series } from '../charts/chart';
import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { chartMoney, shortMoney, unitsOf } from './money-format';
import { RevenueChart } from './revenue-chart';
import { recordedValues, sumOf, type Day, type Line, type Revenue } from './revenue-series';

/** The plans that have prices, and the colors of their lines. */
const PLANS = [
  ['Pro', 'primary'],
  ['Business', 'success'],
] as const;

/** The monthly recurring revenue in one currency, by plan. */
export const CurrencyCard = ({ revenue, currency }: { revenue: Revenue; currency: string }) => {
  const inCurrency = (lines: readonly Line[]) => lines.filter((line) => line.currency === currency);
  const now = inCurrency(revenue.today.lines);
  const of = (plan: string, lines: readonly Line[]) => lines.filter((line) => line.plan === plan);
  const total = shortMoney(sumOf(now, 'mrr'), currency);
  const seriesOf = (days: readonly (Day | undefined)[]) =>
    PLANS.map(([name, tone]): Series => {
      const amountOf = (lines: readonly Line[]) => unitsOf(sumOf(of(name, inCurrency(lines)), 'mrr'), currency);
      return { name, tone, values: recordedValues(days, amountOf) };
    });
  return (
    <Section title={`Monthly recurring revenue in ${currency.toUpperCase()}`}>
      <Stats>
        <Stat name="Total" value={total} />
        {PLANS.map(([name]) => (
          <Stat key={name} name={name} value={shortMoney(sumOf(of(name, now), 'mrr'), currency)} />
        ))}
        <Stat name="Expected from trials" value={shortMoney(sumOf(now, 'trialMrr'), currency)} />
      </Stats>
      <RevenueChart
        revenue={revenue}
        label={`Monthly recurring revenue by plan, now ${total}`}
        empty="No data yet"
        kind="lines"
        format={chartMoney(currency)}
        seriesOf={seriesOf}
      />
    </Section>
  );
};
