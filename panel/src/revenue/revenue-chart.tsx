import { Chart, type Series } from '../charts/chart';
import { utcDay } from '../charts/time-format';
import { timelineOf, type Day, type Revenue } from './revenue-series';

interface RevenueChartProps {
  readonly revenue: Revenue;
  readonly label: string;
  readonly empty: string;
  readonly kind: 'bars' | 'lines';
  readonly format?: Parameters<typeof Chart>[0]['format'];
  /** The lines of the days, undefined where a day is not known. */
  readonly seriesOf: (days: readonly (Day | undefined)[]) => readonly Series[];
}

/** A chart by day, or a sentence on the first day, which alone shows no development. */
export const RevenueChart = ({ revenue, seriesOf, empty, ...chart }: RevenueChartProps) => {
  const { times, days } = timelineOf(revenue);
  const isFirstDay = times.length === 1;
  return (
    <Chart
      {...chart}
      empty={isFirstDay ? 'The history starts today' : empty}
      times={times}
      tick={utcDay}
      full={utcDay}
      series={isFirstDay ? [] : seriesOf(days)}
    />
  );
};
