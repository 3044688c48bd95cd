import type { Schemas } from '@tenantry/client';
import { AuditLogSection } from '../audit/audit-log-section';
import { WebhookEventSection } from '../webhook-events/webhook-event-section';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { IdField } from '../components/id-field';
import { PageHeader } from '../components/page-header';
import { TextLink, recordAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { MemberSection } from './member-section';
import { OverrideSubscription } from './override-subscription';
import { Subscription } from './subscription-fields';
import { SyncButton } from './sync-button';

/** A tenant with its subscription, members and history. */
const TenantDetail = () => (
  <DetailPage<Schemas['AdminTenantDetailView']> list="Tenants" noun="Tenant">
    {(tenant) => (
      <>
        <PageHeader
          title={tenant.name}
          within={{ to: '/tenants', name: 'Tenants' }}
          beside={
            <>
              <StatusChip state={tenant.plan} />
              <StatusChip state={tenant.status} />
            </>
          }
        >
          <SyncButton tenant={tenant} />
          <OverrideSubscription key={tenant.plan + tenant.status} tenant={tenant} />
        </PageHeader>
        <Columns>
          <Section title="Subscription">
            <Subscription tenant={tenant} />
          </Section>
          <Section title="Tenant">
            <FieldList>
              <Field name="Owner">
                <TextLink to={recordAt('users', tenant.owner.id)}>{tenant.owner.name}</TextLink>
              </Field>
              <Field name="Owner’s email">{tenant.owner.email}</Field>
              <Field name="Members">{tenant.memberCount}</Field>
              <Field name="Created">
                <Timestamp at={tenant.createdAt} full />
              </Field>
              <IdField name="ID" id={tenant.id} />
            </FieldList>
          </Section>
        </Columns>
        <Columns>
          <AuditLogSection
            title="Subscription history"
            filter={{ tenant: tenant.id, action: 'subscription.changed' }}
          />
          <WebhookEventSection tenant={tenant.id} />
        </Columns>
        <Columns>
          <MemberSection tenantId={tenant.id} />
          <AuditLogSection title="Activity" filter={{ tenant: tenant.id }} />
        </Columns>
      </>
    )}
  </DetailPage>
);

export default TenantDetail;
