import type { Schemas } from '@tenantry/client';
import { Stat, Stats } from '../components/stats';
import { listAt } from '../components/links';
import { labelOf } from '../labels';

/** What a job can be doing, from the beginning to the end. */
export const JOB_STATES = ['waiting', 'running', 'retrying', 'dead'] as const;

const TONES = { waiting: undefined, running: undefined, retrying: 'warning', dead: 'error' } as const;

/** How many jobs are in each state. */
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
