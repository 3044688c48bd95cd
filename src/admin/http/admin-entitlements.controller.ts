import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import {
  EndEntitlementOverride,
  EntitlementOverrideView,
  EntitlementValuesView,
  GetTenantEntitlements,
  OverrideEntitlements,
  PLANS,
  TenantEntitlementsView,
  type Plan,
} from '../../billing/billing.api';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { IdParam } from '../../http/validation/id-param.decorator';
import { MomentField } from '../../http/validation/moment-field.decorators';
import { IfGiven } from '../../http/validation/optional.decorators';
import { TextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';

class OverrideEntitlementsBody {
  @OptionalChoiceField(PLANS) plan?: Plan;
  @IfGiven()
  @ValidateNested()
  @IsObject({ message: 'must be an object' })
  @Type(() => EntitlementValuesView)
  @ApiPropertyOptional({ type: EntitlementValuesView, description: 'Overridden values' })
  entitlements?: EntitlementValuesView;
  @MomentField('2027-01-31T00:00:00.000Z') endsAt!: Date;
  @TextField(1, 500, 'Pilot until the contract is signed') reason!: string;
}

/** Overrides of entitlements for a limited time (docs/contract.md, Entitlements). */
@ApiTags('admin')
@Controller('admin/tenants')
@AdminOnly()
export class AdminEntitlementsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get(':id/entitlements')
  @Responds({
    summary: 'Get the entitlements of a tenant',
    data: TenantEntitlementsView,
    failures: [PlatformFailures.notFound],
  })
  getTenantEntitlements(@IdParam('id') id: string) {
    return this.queries.execute(new GetTenantEntitlements(id));
  }

  @Put(':id/entitlements')
  @Responds({
    summary: 'Override the entitlements of a tenant',
    description:
      'Sets a plan, single entitlements or both until `endsAt`, and replaces an earlier override. No event or sync ' +
      "changes it. A plan lower than the subscription's has no effect.",
    data: EntitlementOverrideView,
    failures: [PlatformFailures.notFound],
  })
  overrideEntitlements(
    @CurrentActor() actor: Actor,
    @IdParam('id') id: string,
    @Body() { plan, entitlements = {}, endsAt, reason }: OverrideEntitlementsBody,
  ) {
    return this.commands.execute(
      new OverrideEntitlements(actor, id, { plan: plan ?? null, entitlements, endsAt, reason }),
    );
  }

  @Delete(':id/entitlements')
  @LiveSession()
  @Responds({
    summary: 'End the entitlement override',
    data: null,
    failures: [PlatformFailures.notFound],
  })
  endEntitlementOverride(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new EndEntitlementOverride(actor, id));
  }
}
