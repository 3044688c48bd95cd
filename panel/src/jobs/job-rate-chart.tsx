import { api } from '../api';
import { Chart, ChartSkeleton } from '../charts/chart';
import { clock, dayAndClock, weekday } from '../charts/time-format';
import { ErrorAlert } from '../components/error-alert';
import { useApiQuery } from '../components/use-api-query';

/** How many job attempts succeeded and failed over the last hours. */
export const JobRateChart = ({ hours, everyMs }: { hours: number; everyMs: number }) => {
  const { data, error, refetch } = useApiQuery(
    ['rates', hours],
    () => api.GET('/admin/jobs/rates', { params: { query: { hours } } }),
    everyMs,
  );
  if (error)
    return (
      <ErrorAlert
        error={error}
        onRetry={() => {
          void refetch();
        }}
      />
    );
  if (!data) return <ChartSkeleton />;
  const sum = (name: 'done' | 'failed') => data.items.reduce((total, item) => total + item[name], 0);
  return (
    <Chart
      label={`Attempts in ${hours} hours: ${sum('done')} succeeded, ${sum('failed')} failed`}
      empty="No jobs ran in this period"
      kind="bars"
      times={data.items.map(({ at }) => new Date(at))}
      tick={hours > 24 ? weekday : clock}
      full={dayAndClock}
      series={[
        { name: 'Succeeded', tone: 'success', values: data.items.map(({ done }) => done) },
        { name: 'Failed', tone: 'error', values: data.items.map(({ failed }) => failed) },
      ]}
    />
  );
};
