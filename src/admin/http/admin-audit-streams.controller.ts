import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { DisableAuditStream, EnableAuditStream } from '../../audit-streams/audit-streams.api';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { OptionalTextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { GetAnyAuditStream } from '../queries/get-any-audit-stream';
import { ListAllAuditStreams } from '../queries/list-all-audit-streams';
import { ReceiverSearch } from './list-searches.params';
import { AdminAuditStreamView } from './views/audit-stream.views';

class DisableAuditStreamBody {
  @OptionalTextField(1, 500, 'Ticket 4713: the receiver belongs to somebody else') reason?: string;
}

/** The audit streams of tenants, for operators: never entries, secrets or headers. */
@ApiTags('admin')
@Controller('admin/audit-streams')
@AdminOnly()
export class AdminAuditStreamsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'List audit streams of all tenants',
    description: 'Newest first. Failing streams are still sent; `unhealthy` are the failing and the disabled ones.',
    data: AdminAuditStreamView,
    list: true,
  })
  listAllAuditStreams(@Query() query: ReceiverSearch) {
    return this.queries.execute(new ListAllAuditStreams(query, query));
  }

  @Get(':id')
  @Responds({
    summary: 'Get an audit stream of any tenant',
    data: AdminAuditStreamView,
    failures: [PlatformFailures.notFound],
  })
  getAnyAuditStream(@IdParam('id') id: string) {
    return this.queries.execute(new GetAnyAuditStream(id));
  }

  @Post(':id/disable')
  @LiveSession()
  @StoresAnswer('afterwards')
  @ApiBody({ type: DisableAuditStreamBody, required: false })
  @Responds({
    summary: 'Disable an audit stream',
    description: 'Members cannot enable it. The Owner is notified, and the audit log of the tenant keeps the reason.',
    data: AdminAuditStreamView,
    failures: [PlatformFailures.notFound],
  })
  async disableAuditStream(
    @CurrentActor() actor: Actor,
    @IdParam('id') id: string,
    @Body() { reason }: DisableAuditStreamBody,
  ) {
    const disabled = await this.commands.execute(new DisableAuditStream(actor, id, reason));
    return disabled.ok ? this.queries.execute(new GetAnyAuditStream(id)) : disabled;
  }

  @Post(':id/enable')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Enable an audit stream',
    description: 'Also if a member or the service disabled it. It continues where it stopped, within a minute.',
    data: AdminAuditStreamView,
    failures: [PlatformFailures.notFound],
  })
  async enableAuditStream(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    const enabled = await this.commands.execute(new EnableAuditStream(actor, id));
    return enabled.ok ? this.queries.execute(new GetAnyAuditStream(id)) : enabled;
  }
}
