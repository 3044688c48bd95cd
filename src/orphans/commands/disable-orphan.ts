import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsNull } from 'typeorm';
import { AuditStream, AuditStreamChanged } from '../../audit-streams/audit-streams.api';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { ApiKey, ApiKeyRevoked, ServiceAccount, ServiceAccountChanged } from '../../keys/keys.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents, NO_ACTOR, type DomainEvent } from '../../platform/domain-events';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { WebhookEndpoint, WebhookEndpointChanged } from '../../webhooks/webhooks.api';
import { OrphanRepository, type LivingOrphan } from '../data/orphan.repository';
import { OrphanDisabled } from '../orphans.events';
import { OrphanMails } from '../services/orphan-mails';

/**
 * Disables what nobody has taken over, and tells the Owner; nothing if it no longer works. Of a
 * service account that others have keys of, only the keys that were left are revoked.
 */
@Job('disable-orphan')
export class DisableOrphan extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly orphanId: string,
  ) {
    super();
  }
}

@CommandHandler(DisableOrphan)
export class DisableOrphanHandler implements ICommandHandler<DisableOrphan> {
  constructor(
    private readonly orphans: OrphanRepository,
    private readonly mails: OrphanMails,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ tenantId, orphanId }: DisableOrphan): Promise<Result> {
    const done = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const orphan = await this.orphans.lock(tenantId, orphanId, this.clock.now());
      if (!orphan) return ok();
      const changes = await this.disable(orphan);
      await this.orphans.remove(tenantId, orphanId);
      await this.events.publish(...changes, new OrphanDisabled(orphan));
      await this.mails.tellOwner('resources-disabled', [orphan]);
      return ok();
    });
    return done.ok ? done : ok(); // the tenant was deleted
  }

  private async disable(orphan: LivingOrphan): Promise<DomainEvent[]> {
    const { tenantId, kind, resourceId: id } = orphan;
    const { manager } = this.unitOfWork;
    const where = { tenantId, id };
    const disabledAt = this.clock.now();
    if (kind === 'service-account') {
      await this.revokedTokens.revoke([id]); // instances read its keys again
      if (await this.orphans.hasOtherKeys(orphan, disabledAt)) return this.revokeKeys(orphan, disabledAt);
      await manager.update(ServiceAccount, where, { disabledAt });
      return [new ServiceAccountChanged(NO_ACTOR, await manager.findOneByOrFail(ServiceAccount, where))];
    }
    const disabled = { disabledAt, disabledWhy: 'user' } as const;
    if (kind === 'webhook-endpoint') {
      await manager.update(WebhookEndpoint, where, disabled);
      return [new WebhookEndpointChanged(NO_ACTOR, await manager.findOneByOrFail(WebhookEndpoint, where), false)];
    }
    await manager.update(AuditStream, where, disabled);
    return [new AuditStreamChanged(NO_ACTOR, await manager.findOneByOrFail(AuditStream, where), ['enabled'])];
  }

  /** Of an account whose other keys belong to those who are still there. */
  private async revokeKeys({ tenantId, resourceId, leftBy }: LivingOrphan, revokedAt: Date): Promise<DomainEvent[]> {
    const { manager } = this.unitOfWork;
    const left = { tenantId, serviceAccountId: resourceId, createdBy: leftBy ?? IsNull(), revokedAt: IsNull() };
    const keys = await manager.findBy(ApiKey, left);
    await manager.update(ApiKey, left, { revokedAt });
    return keys.map((key) => new ApiKeyRevoked(NO_ACTOR, key));
  }
}
