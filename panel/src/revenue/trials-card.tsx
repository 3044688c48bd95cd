import { listAt } from '../components/links';
import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { RevenueChart } from './revenue-chart';
import { linesOfLast, recordedValues, sumOf, type Revenue } from './revenue-series';

/** Trials: how many there are, and how many started and became paid. */
export const TrialsCard = ({ revenue }: { revenue: Revenue }) => {
  const [trialing, recent] = [sumOf(revenue.today.lines, 'trialing'), linesOfLast(30, revenue)];
  return (
    <Section title="Trials">
      <Stats>
        <Stat name="Now" value={trialing} to={listAt('tenants', { status: 'Trialing' })} />
        <Stat name="Started in 30 days" value={sumOf(recent, 'trialsStarted')} />
        <Stat name="Converted in 30 days" value={sumOf(recent, 'conversions')} />
      </Stats>
      <RevenueChart
        revenue={revenue}
        label={`Trials by day, now ${trialing}`}
        empty="No data yet"
        kind="lines"
        seriesOf={(days) => [
          { name: 'Trials', tone: 'info', values: recordedValues(days, (lines) => sumOf(lines, 'trialing')) },
        ]}
      />
    </Section>
  );
};
