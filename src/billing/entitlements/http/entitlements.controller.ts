import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../../http/access/actor';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../../platform/platform.failures';
import { GetEntitlements } from '../queries/get-entitlements';
import { EntitlementsView } from './views/entitlements.views';

/** What the active tenant may do (docs/contract.md, Entitlements). */
@ApiTags('billing')
@Controller('tenants/current/entitlements')
export class EntitlementsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @SignedIn()
  @Responds({
    summary: 'Get the entitlements of the active tenant',
    description: 'Limits and features, with current usage.',
    data: EntitlementsView,
    failures: [PlatformFailures.notFound],
  })
  getEntitlements(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new GetEntitlements(actor));
  }
}
