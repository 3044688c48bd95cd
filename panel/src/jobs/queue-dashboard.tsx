import { ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useStore } from 'react-admin';
import { LIVE_MS, useApiQuery } from '../components/use-api-query';
import { Columns, Section } from '../components/section';
import { api } from '../api';
import { QueueTable } from './queue-table';
import { JobRateChart } from './job-rate-chart';
import { JobStateCounts } from './job-state-counts';

const SPANS = [
  [1, 'Hour'],
  [24, 'Day'],
  [168, 'Week'],
] as const;

/** The queue by task and status, and its throughput. */
export const QueueDashboard = () => {
  const [hours, setHours] = useStore<number>('jobs.hours', 24);
  const queues = useApiQuery(['queues'], () => api.GET('/admin/jobs/queues'), LIVE_MS);
  const rows = queues.data?.items;
  const count = (state: 'waiting' | 'running' | 'retrying' | 'dead') =>
    rows?.reduce((sum, queue) => sum + queue[state], 0) ?? 0;
  const choice = (
    <ToggleButtonGroup
      size="small"
      exclusive
      value={hours}
      aria-label="Period"
      onChange={(_, chosen: number | null) => chosen && setHours(chosen)}
    >
      {SPANS.map(([span, name]) => (
        <ToggleButton key={span} value={span} sx={{ py: 0.125, textTransform: 'none' }}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
  return (
    <Columns>
      <Section title="By task" flush>
        <QueueTable
          rows={rows}
          error={queues.error}
          retry={() => {
            void queues.refetch();
          }}
        />
      </Section>
      <Section title="Throughput" aside={choice}>
        <JobStateCounts
          counts={{
            waiting: count('waiting'),
            running: count('running'),
            retrying: count('retrying'),
            dead: count('dead'),
          }}
        />
        <JobRateChart hours={hours} everyMs={LIVE_MS} />
      </Section>
    </Columns>
  );
};
