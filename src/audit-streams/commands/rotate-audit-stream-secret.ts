import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EndpointKeys } from '../../webhooks/webhooks.api';
import { AuditStreamSecretRotated } from '../audit-streams.events';
import { AuditStreamRepository } from '../data/audit-stream.repository';
import { streamSummary } from '../data/audit-streams.columns';
import type { AuditStreamWithSecretView } from '../http/views/audit-streams.views';

/**
 * Replaces the secret and the key pair of a stream; meanwhile both sign. CONFLICT while keys that
 * were replaced before still sign, NOT_FOUND.
 */
export class RotateAuditStreamSecret extends Command<Result<AuditStreamWithSecretView, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly streamId: string,
    /** Hours for which the old keys stay valid. */
    readonly overlapHours: number,
  ) {
    super();
  }
}

@CommandHandler(RotateAuditStreamSecret)
export class RotateAuditStreamSecretHandler implements ICommandHandler<RotateAuditStreamSecret> {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly keys: EndpointKeys,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, streamId, overlapHours }: RotateAuditStreamSecret) {
    return this.unitOfWork.inTenant(actor, async () => {
      const stream = await this.streams.lock(actor.tenantId, streamId);
      if (!stream) return err(PlatformFailures.notFound);
      const secret = this.keys.replace(stream, overlapHours);
      if (!secret.ok) return secret;
      await this.streams.save(stream);
      await this.events.publish(new AuditStreamSecretRotated(actor, stream));
      return ok({ ...streamSummary(stream), secret: secret.value });
    });
  }
}
