import type { Schemas } from '@tenantry/client';
import { Field, FieldList } from '../components/field-list';
import { IdField } from '../components/copyable-field';
import { Timestamp } from '../components/timestamp';
import { labelOf } from '../labels';

/** A tenant's subscription as the service has it, with Stripe's status and IDs. */
export const Subscription = ({ tenant }: { tenant: Schemas['AdminTenantDetailView'] }) => (
  <FieldList>
    <Field name="Plan">{tenant.plan}</Field>
    <Field name="Status">{labelOf(tenant.status)}</Field>
    <Field name="Stripe status">{tenant.processorStatus}</Field>
    <Field name={tenant.cancelAtPeriodEnd ? 'Ends' : 'Period ends'}>
      {tenant.currentPeriodEnd && <Timestamp at={tenant.currentPeriodEnd} full />}
    </Field>
    <Field name="Cancels at period end">{tenant.cancelAtPeriodEnd ? 'Yes' : 'No'}</Field>
    <Field name="Trial ends">{tenant.trialEndsAt && <Timestamp at={tenant.trialEndsAt} full />}</Field>
    <Field name="Last changed">
      {tenant.subscriptionUpdatedAt && <Timestamp at={tenant.subscriptionUpdatedAt} full />}
    </Field>
    <IdField name="Stripe customer" id={tenant.processorCustomerId} />
    <IdField name="Stripe subscription" id={tenant.processorSubscriptionId} />
  </FieldList>
);
