import type { Schemas } from '@tenantry/client';
import { Field, FieldList } from '../components/field-list';
import { Timestamp } from '../components/timestamp';
import { labelOf } from '../labels';

/** What is known of a tenant's subscription, and what the processor calls it. */
export const Subscription = ({ tenant }: { tenant: Schemas['AdminTenantDetailView'] }) => (
  <FieldList>
    <Field name="Plan">{tenant.plan}</Field>
    <Field name="Status">{labelOf(tenant.status)}</Field>
    <Field name="The processor’s word">{tenant.processorStatus}</Field>
    <Field name={tenant.cancelAtPeriodEnd ? 'Ends' : 'Period ends'}>
      {tenant.currentPeriodEnd && <Timestamp at={tenant.currentPeriodEnd} full />}
    </Field>
    <Field name="Cancels at period end">{tenant.cancelAtPeriodEnd ? 'Yes' : 'No'}</Field>
    <Field name="Trial ends">{tenant.trialEndsAt && <Timestamp at={tenant.trialEndsAt} full />}</Field>
    <Field name="Changed">{tenant.subscriptionUpdatedAt && <Timestamp at={tenant.subscriptionUpdatedAt} full />}</Field>
    <Field name="Customer at the processor">{tenant.processorCustomerId}</Field>
    <Field name="Subscription at the processor">{tenant.processorSubscriptionId}</Field>
  </FieldList>
);
