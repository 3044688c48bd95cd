import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { shortMoney } from './money-format';
import { RevenueChart } from './revenue-chart';
import { churnRateOf, linesOfLast, movedValues, sumOf, type Revenue } from './revenue-series';

/** Paid subscriptions that ended or were paused, and what they paid. */
export const ChurnCard = ({ revenue, currencies }: { revenue: Revenue; currencies: readonly string[] }) => {
  const recent = linesOfLast(30, revenue);
  const [churned, unpriced, rate] = [sumOf(recent, 'churned'), sumOf(recent, 'churnedUnpriced'), churnRateOf(revenue)];
  const lostIn = (currency: string) =>
    sumOf(
      recent.filter((line) => line.currency === currency),
      'churnedMrr',
    );
  return (
    <Section title="Churn, last 30 days">
      <Stats>
        <Stat name="Subscriptions" value={churned} tone="warning" />
        <Stat name={rate === undefined ? 'Churn rate (after 30 days of data)' : 'Churn rate'} value={rateText(rate)} />
        {currencies.map((currency) => (
          <Stat
            key={currency}
            name={`Churned MRR (${currency.toUpperCase()})`}
            value={shortMoney(lostIn(currency), currency)}
          />
        ))}
        {unpriced > 0 && <Stat name="Unknown amount" value={unpriced} />}
      </Stats>
      <RevenueChart
        revenue={revenue}
        label={`Churned subscriptions by day, ${churned} in 30 days`}
        empty="No churn in this period"
        kind="bars"
        seriesOf={(days) => [{ name: 'Churned', tone: 'warning', values: movedValues(days, 'churned') }]}
      />
    </Section>
  );
};

const rateText = (rate: number | undefined) =>
  rate === undefined ? '–' : `${rate.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
