import { Heading } from '../parts/heading';
import { Problem } from '../parts/problem';
import { CALM_MS, useReading } from '../parts/reading';
import { Columns } from '../parts/section';
import { Waiting } from '../parts/waiting';
import { api } from '../session';
import { JobsPart } from './jobs';
import { SecurityPart } from './security';
import { SyncPart } from './sync';
import { TenantsPart } from './tenants';
import { UsersPart } from './users';
import { WebhooksPart } from './webhooks';

/** How things are and have been going, on one page that keeps itself up to date. */
const Overview = () => {
  const overview = useReading(['overview'], () => api.GET('/admin/overview'), CALM_MS);
  const trends = useReading(['trends'], () => api.GET('/admin/trends'), 2 * CALM_MS);
  const error = overview.error ?? trends.error;
  const retry = () => void Promise.all([overview.refetch(), trends.refetch()]);
  return (
    <>
      <Heading title="Overview" />
      {error && <Problem error={error} onRetry={retry} />}
      {!error && overview.isPending && <Waiting />}
      {overview.data && (
        <Columns width={440}>
          <UsersPart counts={overview.data.users} registrations={trends.data?.registrations} />
          <TenantsPart counts={overview.data.tenants} />
          <JobsPart counts={overview.data.jobs} />
          <WebhooksPart
            counts={overview.data.webhookEvents}
            lag={overview.data.webhookLag}
            hours={trends.data?.webhooks}
          />
          <SecurityPart posture={overview.data.security} />
        </Columns>
      )}
      {overview.data && <SyncPart last={overview.data.lastSync} runs={trends.data?.syncRuns} />}
    </>
  );
};

export default Overview;
