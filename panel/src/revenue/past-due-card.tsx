import { listAt } from '../components/links';
import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { shortMoney } from './money-format';
import { RevenueChart } from './revenue-chart';
import { recordedValues, sumOf, type Revenue } from './revenue-series';

/** Subscriptions whose last payment failed, and what they should pay. */
export const PastDueCard = ({ revenue, currencies }: { revenue: Revenue; currencies: readonly string[] }) => {
  const { lines } = revenue.today;
  const pastDue = sumOf(lines, 'pastDue');
  const amountIn = (currency: string) =>
    sumOf(
      lines.filter((line) => line.currency === currency),
      'pastDueMrr',
    );
  return (
    <Section title="Past due">
      <Stats>
        <Stat name="Subscriptions" value={pastDue} to={listAt('tenants', { status: 'PastDue' })} tone="warning" />
        {currencies.map((currency) => (
          <Stat
            key={currency}
            name={`MRR (${currency.toUpperCase()})`}
            value={shortMoney(amountIn(currency), currency)}
          />
        ))}
      </Stats>
      <RevenueChart
        revenue={revenue}
        label={`Subscriptions past due by day, now ${pastDue}`}
        empty="No data yet"
        kind="lines"
        seriesOf={(days) => [
          { name: 'Past due', tone: 'warning', values: recordedValues(days, (recorded) => sumOf(recorded, 'pastDue')) },
        ]}
      />
    </Section>
  );
};
