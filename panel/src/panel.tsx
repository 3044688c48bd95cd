import { AdminContext, CoreAdminUI, Notification, Resource, localStorageStore } from 'react-admin';
import { dataProvider } from './data';
import { Broken } from './frame/broken';
import { Frame } from './frame/frame';
import { Login } from './frame/login';
import { Nowhere } from './frame/nowhere';
import { Audit, Event, Events, Job, Jobs, Overview, Tenant, Tenants, User, Users } from './pages';
import { Waiting } from './parts/waiting';
import { createQueries } from './queries';
import { authProvider } from './session';
import { darkTheme, lightTheme } from './theme';
import { i18nProvider } from './words';

const queryClient = createQueries();
const store = localStorageStore('1', 'panel');

/** The operators' panel: its pages, loaded when they are first looked at. */
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
      dashboard={Overview}
      layout={Frame}
      loginPage={Login}
      catchAll={Nowhere}
      loading={Waiting}
      error={Broken}
      requireAuth
      disableTelemetry
    >
      <Resource name="users" list={Users} show={User} />
      <Resource name="tenants" list={Tenants} show={Tenant} />
      <Resource name="webhook-events" list={Events} show={Event} />
      <Resource name="jobs" list={Jobs} show={Job} />
      <Resource name="audit-log" list={Audit} />
    </CoreAdminUI>
    <Notification />
  </AdminContext>
);
