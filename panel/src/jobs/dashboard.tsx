import { ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useState } from 'react';
import { LIVE_MS, useReading } from '../parts/reading';
import { Columns, Section } from '../parts/section';
import { api } from '../session';
import { Queues } from './queues';
import { JobRates } from './rates';
import { JobStates } from './states';

const SPANS = [
  [1, 'Hour'],
  [24, 'Day'],
  [168, 'Week'],
] as const;

/** The queue by states and tasks, and how fast it is worked. */
export const Dashboard = () => {
  const [hours, setHours] = useState<number>(24);
  const queues = useReading(['queues'], () => api.GET('/admin/jobs/queues'), LIVE_MS);
  const rows = queues.data?.items;
  const count = (state: 'waiting' | 'running' | 'retrying' | 'dead') =>
    rows?.reduce((sum, queue) => sum + queue[state], 0) ?? 0;
  const choice = (
    <ToggleButtonGroup
      size="small"
      exclusive
      value={hours}
      aria-label="Time"
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
        <Queues rows={rows} error={queues.error} retry={() => void queues.refetch()} />
      </Section>
      <Section title="State and pace" aside={choice}>
        <JobStates
          counts={{
            waiting: count('waiting'),
            running: count('running'),
            retrying: count('retrying'),
            dead: count('dead'),
          }}
        />
        <JobRates hours={hours} everyMs={LIVE_MS} />
      </Section>
    </Columns>
  );
};
