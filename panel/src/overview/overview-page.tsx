import { PageHeader } from '../components/page-header';
import { ErrorAlert } from '../components/error-alert';
import { CALM_MS, useApiQuery } from '../components/use-api-query';
import { Columns } from '../components/section';
import { Loading } from '../components/loading';
import { api } from '../api';
import { JobsCard } from './jobs-card';
import { SecurityCard } from './security-card';
import { SyncCard } from './sync-card';
import { TenantsCard } from './tenants-card';
import { UsersCard } from './users-card';
import { WebhooksCard } from './webhooks-card';

/** The numbers of the service and their trends, updated while the page is open. */
const OverviewPage = () => {
  const overview = useApiQuery(['overview'], () => api.GET('/admin/overview'), CALM_MS);
  const trends = useApiQuery(['trends'], () => api.GET('/admin/trends'), 2 * CALM_MS);
  const error = overview.error ?? trends.error;
  const retry = () => {
    void Promise.all([overview.refetch(), trends.refetch()]);
  };
  return (
    <>
      <PageHeader title="Overview" />
      {error && <ErrorAlert error={error} onRetry={retry} />}
      {!error && overview.isPending && <Loading />}
      {overview.data && (
        <Columns width={440}>
          <UsersCard counts={overview.data.users} registrations={trends.data?.registrations} />
          <TenantsCard counts={overview.data.tenants} />
          <JobsCard counts={overview.data.jobs} />
          <WebhooksCard
            counts={overview.data.webhookEvents}
            lag={overview.data.webhookLag}
            hours={trends.data?.webhooks}
          />
        </Columns>
      )}
      {overview.data && (
        <Columns width={1000}>
          <SyncCard last={overview.data.lastSync} runs={trends.data?.syncRuns} />
          <SecurityCard posture={overview.data.security} />
        </Columns>
      )}
    </>
  );
};

export default OverviewPage;
