import { Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { AuditLogSection } from '../audit/audit-log-section';
import { WebhookEventSection } from '../webhook-events/webhook-event-section';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { CopyableField, IdField } from '../components/copyable-field';
import { PageHeader } from '../components/page-header';
import { TextLink, recordAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { WebhookEndpointSection } from '../webhooks/webhook-endpoint-section';
import { EntitlementSection } from './entitlement-section';
import { ExtendTrial } from './extend-trial';
import { MemberSection } from './member-section';
import { OverrideSubscription } from './override-subscription';
import { SignInPolicySection } from './sign-in-policy-section';
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
          {tenant.status === 'Trialing' && tenant.trialEndsAt && (
            <ExtendTrial tenant={tenant} endsAt={tenant.trialEndsAt} />
          )}
          <OverrideSubscription key={tenant.plan + tenant.status} tenant={tenant} />
        </PageHeader>
        <Columns>
          <Section title="Subscription">
            <Subscription tenant={tenant} />
          </Section>
          <Stack sx={{ gap: 2, minWidth: 0 }}>
            <Section title="Tenant">
              <FieldList>
                <Field name="Owner">
                  <TextLink to={recordAt('users', tenant.owner.id)}>{tenant.owner.name}</TextLink>
                </Field>
                <CopyableField name="Owner’s email" value={tenant.owner.email} />
                <Field name="Members">{tenant.memberCount}</Field>
                <Field name="Created">
                  <Timestamp at={tenant.createdAt} full />
                </Field>
                <IdField name="ID" id={tenant.id} />
              </FieldList>
            </Section>
            <SignInPolicySection tenant={tenant} />
          </Stack>
        </Columns>
        <Columns>
          <AuditLogSection
            title="Subscription history"
            filter={{ tenant: tenant.id, action: 'subscription.changed' }}
          />
          <WebhookEventSection tenant={tenant.id} />
        </Columns>
        <Columns>
          <EntitlementSection tenant={tenant} />
          <MemberSection tenantId={tenant.id} />
        </Columns>
        <Columns>
          <AuditLogSection title="Activity" filter={{ tenant: tenant.id }} />
          <WebhookEndpointSection tenant={tenant.id} />
        </Columns>
      </>
    )}
  </DetailPage>
);

export default TenantDetail;
