import type { Schemas } from '@tenantry/client';
import { Fact, Facts } from '../parts/facts';
import { Moment } from '../parts/moment';
import { wordOf } from '../parts/state';

/** What is known of a tenant's subscription, and what the processor calls it. */
export const Subscription = ({ tenant }: { tenant: Schemas['AdminTenantDetailView'] }) => (
  <Facts>
    <Fact name="Plan">{tenant.plan}</Fact>
    <Fact name="Status">{wordOf(tenant.status)}</Fact>
    <Fact name="The processor’s word">{tenant.processorStatus}</Fact>
    <Fact name={tenant.cancelAtPeriodEnd ? 'Ends' : 'Period ends'}>
      {tenant.currentPeriodEnd && <Moment at={tenant.currentPeriodEnd} full />}
    </Fact>
    <Fact name="Cancels at period end">{tenant.cancelAtPeriodEnd ? 'Yes' : 'No'}</Fact>
    <Fact name="Trial ends">{tenant.trialEndsAt && <Moment at={tenant.trialEndsAt} full />}</Fact>
    <Fact name="Changed">{tenant.subscriptionUpdatedAt && <Moment at={tenant.subscriptionUpdatedAt} full />}</Fact>
    <Fact name="Customer at the processor">{tenant.processorCustomerId}</Fact>
    <Fact name="Subscription at the processor">{tenant.processorSubscriptionId}</Fact>
  </Facts>
);
