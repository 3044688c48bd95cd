import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, PeopleOnly, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, CurrentTenantPerson, type TenantActor, type TenantPerson } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { TakeOverResource } from '../commands/take-over-resource';
import { ListOrphanedResources } from '../queries/list-orphaned-resources';
import { OrphanedResourceView } from './views/orphans.views';

/** What members who left, or lost permissions, had made in the active tenant. */
@ApiTags('tenants')
@Controller('tenants/current/orphaned-resources')
@RequirePermission('tenant.security.manage')
export class OrphansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @PeopleOnly()
  @Responds({
    summary: 'List what members have left',
    description:
      'Service accounts with keys, webhook endpoints and audit streams that still work, whose maker has left the ' +
      'tenant or lost the permission that they need. They are disabled after 14 days unless somebody takes them over.',
    data: OrphanedResourceView,
    list: true,
    failures: [PlatformFailures.notFound],
  })
  listOrphanedResources(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new ListOrphanedResources(actor));
  }

  @Post(':id/take-over')
  @Fresh()
  @Responds({
    summary: 'Take over what a member has left',
    description:
      'You become its creator, and that of the keys of a service account. You need the permission of its kind and ' +
      'those of the keys. To disable it instead, disable the service account, endpoint or stream.',
    data: null,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld],
  })
  takeOverResource(@CurrentTenantPerson() actor: TenantPerson, @IdParam('id') id: string) {
    return this.commands.execute(new TakeOverResource(actor, id));
  }
}
