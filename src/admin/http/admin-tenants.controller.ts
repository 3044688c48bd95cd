import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RemoveSignInPolicy } from '../../auth/auth.api';
import {
  BillingFailures,
  ExtendTrial,
  OverrideSubscription,
  PLANS,
  SUBSCRIPTION_STATUSES,
  SubscriptionView,
  SyncTenantAsOperator,
  type Plan,
  type SubscriptionStatus,
} from '../../billing/billing.api';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { ChoiceField, OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { MomentField } from '../../http/validation/moment-field.decorators';
import { OptionalTextField, TextField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { MemberView } from '../../tenants/tenants.api';
import { AdminTenantDetailView, AdminTenantView } from './views/tenant.views';
import { GetTenant } from '../queries/get-tenant';
import { ListAllTenants } from '../queries/list-all-tenants';
import { ListTenantMembers } from '../queries/list-tenant-members';
import { TenantSearch } from './list-searches.params';

class OverrideSubscriptionBody {
  @ChoiceField(SUBSCRIPTION_STATUSES) status!: SubscriptionStatus;
  @OptionalChoiceField(PLANS) plan?: Plan;
  @OptionalTextField(0, 500, 'Paid by bank transfer') reason?: string;
}

class ExtendTrialBody {
  @MomentField('2027-01-31T00:00:00.000Z') endsAt!: Date;
  @TextField(1, 500, 'Waiting for a security review') reason!: string;
}

/** Tenants, for operators. */
@ApiTags('admin')
@Controller('admin/tenants')
@AdminOnly()
export class AdminTenantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'Search tenants', data: AdminTenantView, list: true })
  listAllTenants(@Query() query: TenantSearch) {
    return this.queries.execute(new ListAllTenants(query, query));
  }

  @Get(':id')
  @Responds({
    summary: 'Get a tenant',
    data: AdminTenantDetailView,
    failures: [PlatformFailures.notFound],
  })
  getTenant(@IdParam('id') id: string) {
    return this.queries.execute(new GetTenant(id));
  }

  @Patch(':id/subscription')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Override a subscription',
    description:
      'Changes only the local copy; the next webhook event or sync may revert it. ' +
      'Without `plan`, the plan stays unchanged.',
    data: SubscriptionView,
    failures: [PlatformFailures.notFound],
  })
  overrideSubscription(
    @CurrentActor() actor: Actor,
    @IdParam('id') id: string,
    @Body() { status, plan, reason }: OverrideSubscriptionBody,
  ) {
    return this.commands.execute(new OverrideSubscription(actor, id, status, plan, reason));
  }

  @Post(':id/trial')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Extend a trial',
    description: "Moves the trial's end in Stripe to a later time, at most 90 days from now.",
    data: SubscriptionView,
    failures: [
      PlatformFailures.notFound,
      BillingFailures.noSubscription,
      BillingFailures.notTrialing,
      BillingFailures.unavailable,
    ],
  })
  extendTrial(@CurrentActor() actor: Actor, @IdParam('id') id: string, @Body() body: ExtendTrialBody) {
    return this.commands.execute(new ExtendTrial(actor, id, body));
  }

  @Post(':id/sync')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Sync a subscription',
    description: 'Reads the subscription from Stripe, at most once every 5 seconds.',
    data: SubscriptionView,
    failures: [PlatformFailures.notFound, BillingFailures.unavailable],
  })
  syncTenant(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new SyncTenantAsOperator(actor, id));
  }

  @Get(':id/members')
  @Responds({
    summary: 'List members of a tenant',
    data: MemberView,
    list: true,
    failures: [PlatformFailures.notFound],
  })
  listTenantMembers(@IdParam('id') id: string, @Query() page: PageQuery) {
    return this.queries.execute(new ListTenantMembers(id, page));
  }

  @Delete(':id/sign-in-policy')
  @LiveSession()
  @Responds({
    summary: 'Remove the sign-in policy of a tenant',
    description: 'For a tenant whose policy no member can meet any more.',
    data: null,
    failures: [PlatformFailures.notFound],
  })
  removeSignInPolicy(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new RemoveSignInPolicy(actor, id));
  }
}
