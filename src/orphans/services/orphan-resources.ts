import { Injectable } from '@nestjs/common';
import { IsNull, type FindOptionsWhere } from 'typeorm';
import { AuditStream, AuditStreamChanged } from '../../audit-streams/audit-streams.api';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { ApiKey, ApiKeyRevoked, ServiceAccount, ServiceAccountChanged } from '../../keys/keys.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { NO_ACTOR, type DomainEvent } from '../../platform/domain-events';
import { WebhookEndpoint, WebhookEndpointChanged } from '../../webhooks/webhooks.api';
import type { LivingOrphan } from '../data/orphan.repository';

/** Takes over or disables what an orphan stands for, in the transaction that locked it. */
@Injectable()
export class OrphanResources {
  constructor(
    private readonly revokedTokens: RevokedTokens,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Makes a user the creator, of a service account also of the keys that were left. */
  async takeOver(orphan: LivingOrphan, createdBy: string): Promise<void> {
    const { tenantId, kind, resourceId: id } = orphan;
    const { manager } = this.unitOfWork;
    const where = { tenantId, id, createdBy: orphan.leftBy ?? IsNull() };
    if (kind === 'service-account') {
      await manager.update(ServiceAccount, where, { createdBy });
      await this.revokedTokens.revoke([id]); // instances read its keys again, with their creator
      await manager.update(ApiKey, leftKeys(orphan), { createdBy });
    } else if (kind === 'webhook-endpoint')
      await manager.update(WebhookEndpoint, where, { createdBy, grantedBy: createdBy });
    else await manager.update(AuditStream, where, { createdBy, grantedBy: createdBy });
  }

  /**
   * Disables it as a member would; of a service account that others have keys of, it revokes the
   * keys that were left.
   * @returns what happened
   */
  async disable(orphan: LivingOrphan): Promise<DomainEvent[]> {
    const { tenantId, kind, resourceId: id } = orphan;
    const { manager } = this.unitOfWork;
    const where = { tenantId, id };
    const disabledAt = this.clock.now();
    if (kind === 'service-account') {
      await this.revokedTokens.revoke([id]);
      if (await this.hasOtherKeys(orphan)) return this.revokeKeys(orphan);
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

  private async hasOtherKeys({ tenantId, resourceId, leftBy }: LivingOrphan): Promise<boolean> {
    const unrevoked = { tenantId, serviceAccountId: resourceId, revokedAt: IsNull() };
    const keys = await this.unitOfWork.manager.findBy(ApiKey, unrevoked);
    return keys.some((key) => key.createdBy !== leftBy && key.isUsable(this.clock.now()));
  }

  private async revokeKeys(orphan: LivingOrphan): Promise<DomainEvent[]> {
    const { manager } = this.unitOfWork;
    const keys = await manager.findBy(ApiKey, leftKeys(orphan));
    await manager.update(ApiKey, leftKeys(orphan), { revokedAt: this.clock.now() });
    return keys.map((key) => new ApiKeyRevoked(NO_ACTOR, key));
  }
}

/** The keys that a maker has left. */
const leftKeys = ({ tenantId, resourceId, leftBy }: LivingOrphan): FindOptionsWhere<ApiKey> => ({
  tenantId,
  serviceAccountId: resourceId,
  createdBy: leftBy ?? IsNull(),
  revokedAt: IsNull(),
});
