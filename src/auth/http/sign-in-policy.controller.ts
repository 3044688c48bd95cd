import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, CurrentTenantPerson, type TenantActor, type TenantPerson } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { ChoicesField } from '../../http/validation/choice-field.decorators';
import { MomentField } from '../../http/validation/moment-field.decorators';
import { IntegerField } from '../../http/validation/number-field.decorators';
import { NullableField } from '../../http/validation/optional.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { AuthFailures } from '../auth.failures';
import { ChangeSignInPolicy } from '../commands/change-sign-in-policy';
import { MAX_TOKEN_DAYS, POLICY_METHODS, type PolicyMethod } from '../domain/sign-in-policy';
import { GetSignInPolicy } from '../queries/get-sign-in-policy';
import { SignInPolicyView } from './views/sign-in-policy.views';

/** 90 days. */
const MOST_HOURS = 2160;

class ChangeSignInPolicyBody {
  @NullableField(MomentField()) secondFactorFrom?: Date | null;
  @NullableField(IntegerField(1, MOST_HOURS, 24)) maxSessionHours?: number | null;
  @NullableField(ChoicesField(POLICY_METHODS)) allowedMethods?: PolicyMethod[] | null;
  @NullableField(IntegerField(0, MAX_TOKEN_DAYS, 90)) maxTokenDays?: number | null;
}

/** The sign-in policy of the active tenant. */
@ApiTags('tenants')
@Controller('tenants/current/sign-in-policy')
export class SignInPolicyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequirePermission('tenant.settings.read')
  @Responds({ summary: 'Get the sign-in policy', data: SignInPolicyView, failures: [PlatformFailures.notFound] })
  getSignInPolicy(@CurrentTenantActor() { tenantId }: TenantActor) {
    return this.queries.execute(new GetSignInPolicy(tenantId));
  }

  @Put()
  @Fresh()
  @RequirePermission('tenant.security.manage')
  @Responds({
    summary: 'Set the sign-in policy',
    description:
      'Fields that are null or absent require nothing. Sessions that do not meet the policy lose access to this ' +
      'tenant at the next refresh, but to no other tenant. Members without a second factor get an email at once and ' +
      'a day before it is required. Personal tokens older than `maxTokenDays` are refused within a second.',
    data: SignInPolicyView,
    failures: [PlatformFailures.notFound, AuthFailures.policyWouldLockYouOut],
  })
  changeSignInPolicy(@CurrentTenantPerson() actor: TenantPerson, @Body() body: ChangeSignInPolicyBody) {
    const { secondFactorFrom = null, maxSessionHours = null, allowedMethods = null, maxTokenDays = null } = body;
    const rules = { secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays };
    return this.commands.execute(new ChangeSignInPolicy(actor, rules));
  }
}
