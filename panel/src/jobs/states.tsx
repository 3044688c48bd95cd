import type { Schemas } from '@tenantry/client';
import { Figure, Figures } from '../parts/figures';
import { listAt } from '../parts/links';
import { wordOf } from '../parts/state';

/** What a job can be doing, from the beginning to the end. */
export const JOB_STATES = ['waiting', 'running', 'retrying', 'dead'] as const;

const TONES = { waiting: undefined, running: undefined, retrying: 'warning', dead: 'error' } as const;

/** How many jobs are in each state. */
export const JobStates = ({ counts }: { counts: Schemas['OverviewView']['jobs'] }) => (
  <Figures>
    {JOB_STATES.map((state) => (
      <Figure
        key={state}
        name={wordOf(state)}
        value={counts[state]}
        to={listAt('jobs', { state })}
        tone={TONES[state]}
      />
    ))}
  </Figures>
);
