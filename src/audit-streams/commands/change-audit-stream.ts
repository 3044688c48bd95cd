import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FeatureCheck } from '../../billing/billing.api';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EndpointAddress } from '../../webhooks/webhooks.api';
import { AuditStreamChanged } from '../audit-streams.events';
import { AuditStreamFailures } from '../audit-streams.failures';
import { AuditStreamRepository } from '../data/audit-stream.repository';
import { streamSummary } from '../data/audit-streams.columns';
import type { StreamChanges } from '../domain/audit-stream';
import type { AuditStreamView } from '../http/views/audit-streams.views';
import { StreamAuthorization } from '../services/stream-authorization';

/**
 * Changes a stream, or pauses and resumes it: it then continues where it stopped. NOT_FOUND,
 * WEBHOOK_URL_NOT_ALLOWED; PLAN_REQUIRED to enable or move one; CONFLICT to enable or move one that
 * an operator disabled, or to move one to its host.
 */
export class ChangeAuditStream extends Command<
  Result<AuditStreamView, 'CONFLICT' | 'NOT_FOUND' | 'PLAN_REQUIRED' | 'WEBHOOK_URL_NOT_ALLOWED'>
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
      const stream = await this.streams.lock(actor.tenantId, streamId);
      if (!stream) return err(PlatformFailures.notFound);
      if (await this.streams.isRefused(stream, changes)) return err(AuditStreamFailures.disabledByOperator);
      stream.change(changes, this.clock.now());
      if (authorization !== undefined) this.authorization.set(stream, authorization);
      await this.streams.save(stream);
      await this.events.publish(new AuditStreamChanged(actor, stream, namesOf({ authorization, ...changes })));
      return ok(streamSummary(stream));
    });
  }
}

/** The fields that a request gives. Their values may be secrets. */
const namesOf = (changes: object) =>
  Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
