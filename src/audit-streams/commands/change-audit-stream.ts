import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FeatureCheck } from '../../billing/billing.api';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EndpointAddress, ReceiverGrants } from '../../webhooks/webhooks.api';
import { AuditStreamChanged } from '../audit-streams.events';
import { AuditStreamFailures } from '../audit-streams.failures';
import { AuditStreamRepository } from '../data/audit-stream.repository';
import { streamSummary } from '../data/audit-streams.columns';
import { NEEDED_TO_STREAM, type StreamChanges } from '../domain/audit-stream';
import type { AuditStreamView } from '../http/views/audit-streams.views';
import { StreamAuthorization } from '../services/stream-authorization';

/**
 * Changes a stream, or pauses and resumes it: it then continues where it stopped. NOT_FOUND,
 * WEBHOOK_URL_NOT_ALLOWED; PLAN_REQUIRED to enable or move one; PERMISSION_NOT_HELD to send it
 * elsewhere if the actor may not read the log; CONFLICT to enable or move one that an operator
 * disabled, or to move one to its host.
 */
export class ChangeAuditStream extends Command<
  Result<
    AuditStreamView,
    'CONFLICT' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'PLAN_REQUIRED' | 'WEBHOOK_URL_NOT_ALLOWED'
  >
> {
  constructor(
    readonly actor: TenantActor,
    readonly streamId: string,
    /** `authorization`: null removes the header. */
    readonly changes: StreamChanges & { readonly authorization?: string | null },
  ) {
    super();
  }
}

@CommandHandler(ChangeAuditStream)
export class ChangeAuditStreamHandler implements ICommandHandler<ChangeAuditStream> {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly address: EndpointAddress,
    private readonly grants: ReceiverGrants,
    private readonly authorization: StreamAuthorization,
    private readonly features: FeatureCheck,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, streamId, changes: { authorization, ...changes } }: ChangeAuditStream) {
    const allowed = this.address.check(changes.url);
    if (!allowed.ok) return allowed;
    if (changes.enabled === true || changes.url !== undefined) {
      const included = await this.features.require(actor.tenantId, 'auditStreaming');
      if (!included.ok) return included;
    }
    return this.unitOfWork.inTenant(actor, async () => {
      const held = isRedirection({ authorization, ...changes }) ? await this.grants.heldBy(actor) : undefined;
      const stream = await this.streams.lock(actor.tenantId, streamId);
      if (!stream) return err(PlatformFailures.notFound);
      if (await this.streams.isRefused(stream, changes)) return err(AuditStreamFailures.disabledByOperator);
      const isElsewhere = authorization !== undefined || (changes.url !== undefined && changes.url !== stream.url);
      if (held?.includes(NEEDED_TO_STREAM)) stream.grant(actor.userId);
      else if (isElsewhere) return err(AuditStreamFailures.notReader);
      stream.change(changes, this.clock.now());
      if (authorization !== undefined) this.authorization.set(stream, authorization);
      await this.streams.save(stream);
      await this.events.publish(new AuditStreamChanged(actor, stream, namesOf({ authorization, ...changes })));
      return ok(streamSummary(stream));
    });
  }
}

/** Whether a request says where the log is sent. */
const isRedirection = (changes: { readonly url?: string; readonly authorization?: string | null }) =>
  changes.url !== undefined || changes.authorization !== undefined;

/** The fields that a request gives. Their values may be secrets. */
const namesOf = (changes: object) =>
  Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
