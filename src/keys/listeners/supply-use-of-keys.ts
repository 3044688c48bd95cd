import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PlanUse } from '../../billing/billing.api';
import { Clock } from '../../platform/clock';
import { ApiKeyRepository } from '../data/api-key.repository';

/** Provides the number of a tenant's keys to the check of plan limits. */
@Injectable()
export class SupplyUseOfKeys implements OnModuleInit {
  constructor(
    private readonly planUse: PlanUse,
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.planUse.countBy('keys', (tenantId) => this.keys.countUsable(tenantId, this.clock.now()));
  }
}
