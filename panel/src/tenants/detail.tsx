import type { Schemas } from '@tenantry/client';
import { AuditRows } from '../audit/rows';
import { EventRows } from '../events/rows';
import { Detail } from '../parts/detail';
import { Fact, Facts } from '../parts/facts';
import { Heading } from '../parts/heading';
import { PlainLink, recordAt } from '../parts/links';
import { Moment } from '../parts/moment';
import { Columns, Section } from '../parts/section';
import { StateChip } from '../parts/state';
import { Members } from './members';
import { Override } from './override';
import { Subscription } from './subscription';
import { SyncNow } from './sync-now';

/** All that there is to know of a tenant and its subscription. */
const Tenant = () => (
  <Detail<Schemas['AdminTenantDetailView']> list="Tenants">
    {(tenant) => (
      <>
        <Heading
          title={tenant.name}
          within={{ to: '/tenants', name: 'Tenants' }}
          beside={
            <>
              <StateChip state={tenant.plan} />
              <StateChip state={tenant.status} />
            </>
          }
        >
          <SyncNow tenant={tenant} />
          <Override key={tenant.plan + tenant.status} tenant={tenant} />
        </Heading>
        <Columns>
          <Section title="Subscription">
            <Subscription tenant={tenant} />
          </Section>
          <Section title="Tenant">
            <Facts>
              <Fact name="Owner">
                <PlainLink to={recordAt('users', tenant.owner.id)}>{tenant.owner.name}</PlainLink>
              </Fact>
              <Fact name="Owner’s email">{tenant.owner.email}</Fact>
              <Fact name="Members">{tenant.memberCount}</Fact>
              <Fact name="Made">
                <Moment at={tenant.createdAt} full />
              </Fact>
              <Fact name="Id">{tenant.id}</Fact>
            </Facts>
          </Section>
        </Columns>
        <Columns>
          <AuditRows
            title="History of the subscription"
            filter={{ tenant: tenant.id, action: 'subscription.changed' }}
          />
          <EventRows tenant={tenant.id} />
        </Columns>
        <Columns>
          <Members tenantId={tenant.id} />
          <AuditRows title="What happened here" filter={{ tenant: tenant.id }} />
        </Columns>
      </>
    )}
  </Detail>
);

export default Tenant;
