import { AdminContext, CoreAdminUI, CustomRoutes, Notification, Resource } from 'react-admin';
import { Route } from 'react-router';
import { dataProvider } from './data-provider';
import { ErrorPage } from './layout/error-page';
import { PanelLayout } from './layout/panel-layout';
import { LoginPage } from './layout/login-page';
import { NotFound } from './layout/not-found';
import {
  AuditLogList,
  AuditStreamDetail,
  AuditStreamList,
  FactorResetList,
  WebhookDeliveryList,
  WebhookEndpointDetail,
  WebhookEndpointList,
  WebhookEventDetail,
  WebhookEventList,
  JobDetail,
  JobList,
  OverviewPage,
  RevenuePage,
  TenantDetail,
  TenantList,
  UserDetail,
  UserList,
} from './lazy-pages';
import { Loading } from './components/loading';
import { createPreferencesStore } from './preferences-store';
import { createQueryClient } from './query-client';
import { authProvider } from './auth-provider';
import { darkTheme, lightTheme } from './theme';
import { i18nProvider } from './i18n-provider';

const queryClient = createQueryClient();
const store = createPreferencesStore();

/** The operators' panel with all its pages. */
export const Panel = () => (
  <AdminContext
    authProvider={authProvider}
    dataProvider={dataProvider}
    i18nProvider={i18nProvider}
    queryClient={queryClient}
    store={store}
    lightTheme={lightTheme}
    darkTheme={darkTheme}
  >
    <CoreAdminUI
      title="Tenantry"
      dashboard={OverviewPage}
      layout={PanelLayout}
      loginPage={LoginPage}
      catchAll={NotFound}
      loading={Loading}
      error={ErrorPage}
      requireAuth
      disableTelemetry
    >
      <Resource name="users" list={UserList} show={UserDetail} />
      <Resource name="tenants" list={TenantList} show={TenantDetail} />
      <Resource name="webhook-events" list={WebhookEventList} show={WebhookEventDetail} />
      <Resource name="webhook-endpoints" list={WebhookEndpointList} show={WebhookEndpointDetail} />
      <Resource name="webhook-deliveries" list={WebhookDeliveryList} />
      <Resource name="audit-streams" list={AuditStreamList} show={AuditStreamDetail} />
      <Resource name="jobs" list={JobList} show={JobDetail} />
      <Resource name="factor-resets" list={FactorResetList} />
      <Resource name="audit-log" list={AuditLogList} />
      <CustomRoutes>
        <Route path="/revenue" element={<RevenuePage />} />
      </CustomRoutes>
    </CoreAdminUI>
    <Notification />
  </AdminContext>
);
