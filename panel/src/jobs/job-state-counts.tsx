import type { Schemas } from '@tenantry/client';
import { Stat, Stats } from '../components/stats';
import { listAt } from '../components/links';
import { labelOf } from '../labels';

/** The statuses of a job, in order. */
export const JOB_STATES = ['waiting', 'running', 'retrying', 'dead'] as const;

const TONES = { waiting: undefined, running: undefined, retrying: 'warning', dead: 'error' } as const;

/** The number of jobs per status. */
export const JobStateCounts = ({ counts }: { counts: Schemas['OverviewView']['jobs'] }) => (
  <Stats>
    {JOB_STATES.map((state) => (
      <Stat
        key={state}
        name={labelOf(state)}
        value={counts[state]}
        to={listAt('jobs', { state })}
        tone={TONES[state]}
      />
    ))}
  </Stats>
);
