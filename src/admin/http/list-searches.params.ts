import { Matches } from 'class-validator';
import {
  FEATURES,
  PLANS,
  SUBSCRIPTION_STATUSES,
  WEBHOOK_EVENT_STATUSES,
  type Feature,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../../billing/billing.api';
import { FACTOR_RESET_FILTERS, type FactorResetFilter } from '../../factors/factors.api';
import { OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { OptionalFlagParameter } from '../../http/validation/flag-field.decorators';
import { OptionalIdField } from '../../http/validation/id-field.decorators';
import { OptionalMomentParameter } from '../../http/validation/moment-field.decorators';
import { PageQuery } from '../../http/validation/page-query';
import { OptionalTextField, SearchParameter } from '../../http/validation/text-field.decorators';
import { JOB_STATES, type JobState } from '../../platform/jobs/job-states';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/webhooks.api';
import { USER_STATES, type UserState } from '../queries/list-users';
import { RECEIVER_STATES, type ReceiverState } from '../services/receiver-filter';

/** Each word is searched separately and costs a scan. */
const MAX_FIVE_WORDS = /^\S+(\s+\S+){0,4}$/;

export class UserSearch extends PageQuery {
  @SearchParameter(
    'Up to 5 terms that all occur in the email or name (terms of fewer than 3 letters: at the start of a word), ' +
      'or an id',
  )
  @Matches(MAX_FIVE_WORDS, { message: 'must contain at most 5 words' })
  search?: string;

  @OptionalChoiceField(USER_STATES) state?: UserState;
}

export class TenantSearch extends PageQuery {
  @SearchParameter('Beginning of any word of the name (case-insensitive), or a tenant or Stripe id') search?: string;
  @OptionalChoiceField(PLANS) plan?: Plan;
  @OptionalChoiceField(SUBSCRIPTION_STATUSES) status?: SubscriptionStatus;
  @OptionalChoiceField(FEATURES) entitlement?: Feature;
  @OptionalFlagParameter() override?: boolean;
}

export class AuditSearch extends PageQuery {
  @OptionalIdField('Id of the user who performed the action') actor?: string;
  @OptionalIdField('Id of the admin who impersonated the user') impersonator?: string;
  @OptionalTextField(1, 100, '0194c5d0-9d5c-7a52-8f6e-0a4a3c1b2d3e') target?: string;
  @OptionalIdField('Id of the tenant') tenant?: string;
  @OptionalTextField(1, 100, 'role.created') action?: string;
  @OptionalMomentParameter('Earliest time, inclusive') from?: Date;
  @OptionalMomentParameter('Latest time, inclusive') to?: Date;
}

export class WebhookEventSearch extends PageQuery {
  @OptionalChoiceField(WEBHOOK_EVENT_STATUSES) status?: WebhookEventStatus;
  @OptionalTextField(1, 100, 'invoice') type?: string;
  @OptionalIdField('Id of the tenant') tenant?: string;
}

/** Of webhook endpoints and of audit streams. */
export class ReceiverSearch extends PageQuery {
  @OptionalChoiceField(RECEIVER_STATES) state?: ReceiverState;
  @OptionalIdField('Id of the tenant') tenant?: string;
}

export class WebhookDeliverySearch extends PageQuery {
  @OptionalChoiceField(DELIVERY_STATES) state?: DeliveryState;
  @OptionalIdField('Id of the tenant') tenant?: string;
  @OptionalIdField('Id of the webhook endpoint') endpoint?: string;
}

export class FactorResetSearch extends PageQuery {
  @OptionalChoiceField(FACTOR_RESET_FILTERS) state?: FactorResetFilter;
  @OptionalIdField('Id of the user') user?: string;
}

export class JobSearch extends PageQuery {
  @OptionalChoiceField(JOB_STATES) state?: JobState;
  @OptionalTextField(1, 100, 'send-link-mail') task?: string;
}
