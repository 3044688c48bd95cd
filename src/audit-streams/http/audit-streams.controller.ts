import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { BillingFailures, RequireEntitlement } from '../../billing/billing.api';
import { Fresh, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { IdParam } from '../../http/validation/id-param.decorator';
import { OptionalMomentField } from '../../http/validation/moment-field.decorators';
import { OptionalIntegerField } from '../../http/validation/number-field.decorators';
import { NullableField } from '../../http/validation/optional.decorators';
import { PageQuery } from '../../http/validation/page-query';
import { OptionalTextField, TextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { SendsWebhooks, WebhookFailures } from '../../webhooks/webhooks.api';
import { AuditStreamFailures } from '../audit-streams.failures';
import { ChangeAuditStream } from '../commands/change-audit-stream';
import { CreateAuditStream } from '../commands/create-audit-stream';
import { DeleteAuditStream } from '../commands/delete-audit-stream';
import { RotateAuditStreamSecret } from '../commands/rotate-audit-stream-secret';
import { SendAuditStreamTest } from '../commands/send-audit-stream-test';
import { GetAuditStream } from '../queries/get-audit-stream';
import { ListAuditStreams } from '../queries/list-audit-streams';
import { AuthorizationField } from './authorization-field.decorators';
import {
  AuditStreamStateView,
  AuditStreamTestView,
  AuditStreamView,
  AuditStreamWithSecretView,
} from './views/audit-streams.views';

const ADDRESS = [10, 2000, 'https://example.com/audit'] as const;
const DESCRIPTION = [0, 200, 'Security monitoring'] as const;
/** Hours for which old keys stay in force, at most and by default. */
const MOST_OVERLAP = 168;
const DEFAULT_OVERLAP = 24;

class CreateAuditStreamBody {
  @TextField(...ADDRESS) url!: string;
  @OptionalTextField(...DESCRIPTION) description?: string;
  @NullableField(AuthorizationField()) authorization?: string | null;
  @OptionalMomentField() from?: Date;
}

class ChangeAuditStreamBody {
  @OptionalTextField(...ADDRESS) url?: string;
  @OptionalTextField(...DESCRIPTION) description?: string;
  @NullableField(AuthorizationField()) authorization?: string | null;
  @OptionalFlag() enabled?: boolean;
}

class RotateAuditStreamSecretBody {
  @OptionalIntegerField(0, MOST_OVERLAP, DEFAULT_OVERLAP) overlapHours?: number;
}

/** The receivers of the active tenant's audit log. */
@ApiTags('audit-streams')
@Controller('tenants/current/audit-streams')
@RequirePermission('tenant.audit.stream')
export class AuditStreamsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List audit streams', data: AuditStreamStateView, list: true })
  listAuditStreams(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListAuditStreams(actor, page));
  }

  @Post()
  @Fresh()
  @RequireEntitlement('auditStreaming')
  @Responds({
    summary: 'Create an audit stream',
    description:
      'A tenant can have 2 streams. The secret is shown only once. `from` is the time of the first entry, within the ' +
      'retention period; by default now.',
    data: AuditStreamWithSecretView,
    failures: [
      PlatformFailures.notFound,
      WebhookFailures.urlNotAllowed,
      AuditStreamFailures.tooManyStreams,
      AuditStreamFailures.notReader,
      AuditStreamFailures.disabledByOperator,
    ],
  })
  createAuditStream(@CurrentTenantActor() actor: TenantActor, @Body() body: CreateAuditStreamBody) {
    const { description = '', authorization = null, ...given } = body;
    return this.commands.execute(new CreateAuditStream(actor, { ...given, description, authorization }));
  }

  @Get(':id')
  @Responds({ summary: 'Get an audit stream', data: AuditStreamStateView, failures: [PlatformFailures.notFound] })
  getAuditStream(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.queries.execute(new GetAuditStream(actor, id));
  }

  @Patch(':id')
  @Fresh()
  @Responds({
    summary: 'Update, pause or resume an audit stream',
    description:
      'Omitted fields stay unchanged. `authorization: null` removes the header. A resumed stream ' +
      'continues where it stopped. Pausing requires no plan.',
    data: AuditStreamView,
    failures: [
      PlatformFailures.notFound,
      WebhookFailures.urlNotAllowed,
      BillingFailures.planRequired,
      AuditStreamFailures.notReader,
      AuditStreamFailures.disabledByOperator,
    ],
  })
  changeAuditStream(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Body() body: ChangeAuditStreamBody,
  ) {
    return this.commands.execute(new ChangeAuditStream(actor, id, body));
  }

  @Delete(':id')
  @Fresh()
  @Responds({
    summary: 'Delete an audit stream',
    data: null,
    failures: [PlatformFailures.notFound, AuditStreamFailures.disabledByOperator],
  })
  deleteAuditStream(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new DeleteAuditStream(actor, id));
  }

  @Post(':id/rotate-secret')
  @Fresh()
  @Responds({
    summary: 'Replace the secret of an audit stream',
    description:
      'For `overlapHours` (default 24), requests are also signed with the old keys. CONFLICT until then; ' +
      '`overlapHours: 0` ends all earlier keys at once.',
    data: AuditStreamWithSecretView,
    failures: [PlatformFailures.notFound, WebhookFailures.secretReplaced],
  })
  rotateAuditStreamSecret(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Body() { overlapHours = DEFAULT_OVERLAP }: RotateAuditStreamSecretBody,
  ) {
    return this.commands.execute(new RotateAuditStreamSecret(actor, id, overlapHours));
  }

  @Post(':id/test')
  @StoresAnswer('afterwards')
  @SendsWebhooks()
  @Responds({
    summary: 'Test an audit stream',
    description: 'Sends a request without entries, and returns the response.',
    data: AuditStreamTestView,
    failures: [PlatformFailures.notFound, AuditStreamFailures.disabledByOperator],
  })
  testAuditStream(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new SendAuditStreamTest(actor, id));
  }
}
