import { Chart } from '../charts/chart';
import { ErrorAlert } from '../components/error-alert';
import { useApiQuery } from '../components/use-api-query';
import { Loading } from '../components/loading';
import { api } from '../api';

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit' });

/** How many attempts were finished in each step of the last hours, well or badly. */
export const JobRateChart = ({ hours, everyMs }: { hours: number; everyMs: number }) => {
  const { data, error, refetch } = useApiQuery(
    ['rates', hours],
    () => api.GET('/admin/jobs/rates', { params: { query: { hours } } }),
    everyMs,
  );
  if (error) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const sum = (name: 'done' | 'failed') => data.items.reduce((total, item) => total + item[name], 0);
  return (
    <Chart
      label={`Attempts in ${hours} hours: ${sum('done')} done, ${sum('failed')} failed`}
      kind="bars"
      times={data.items.map(({ at }) => new Date(at))}
      tick={(at) => (hours > 24 ? DAY : CLOCK).format(at)}
      series={[
        { name: 'Done', tone: 'success', values: data.items.map(({ done }) => done) },
        { name: 'Failed', tone: 'error', values: data.items.map(({ failed }) => failed) },
      ]}
    />
  );
};
