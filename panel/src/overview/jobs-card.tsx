import type { Schemas } from '@tenantry/client';
import { JobRateChart } from '../jobs/job-rate-chart';
import { JobStateCounts } from '../jobs/job-state-counts';
import { TextLink } from '../components/links';
import { CALM_MS } from '../components/use-api-query';
import { Section } from '../components/section';

/** Jobs by status, and the attempts of the last 24 hours. */
export const JobsCard = ({ counts }: { counts: Schemas['OverviewView']['jobs'] }) => (
  <Section title="Jobs" aside={<TextLink to="/jobs">View all</TextLink>}>
    <JobStateCounts counts={counts} />
    <JobRateChart hours={24} everyMs={CALM_MS} />
  </Section>
);
