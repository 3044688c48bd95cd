import type { Schemas } from '@tenantry/client';
import { JobRates } from '../jobs/rates';
import { JobStates } from '../jobs/states';
import { PlainLink } from '../parts/links';
import { CALM_MS } from '../parts/reading';
import { Section } from '../parts/section';

/** The queue, and how it has been worked today. */
export const JobsPart = ({ counts }: { counts: Schemas['OverviewView']['jobs'] }) => (
  <Section title="Jobs" aside={<PlainLink to="/jobs">All jobs</PlainLink>}>
    <JobStates counts={counts} />
    <JobRates hours={24} everyMs={CALM_MS} />
  </Section>
);
