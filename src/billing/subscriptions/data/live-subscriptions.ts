import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, Or } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../domain/subscription';
import { OVER } from '../domain/subscription-snapshot';

/** Finds the tenants that Stripe would still charge and that are therefore not deleted. */
@Injectable()
export class LiveSubscriptions {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The tenants among these that have one; runs in a scope that includes them. */
  async among(tenantIds: readonly string[]): Promise<Set<string>> {
    const live = await this.unitOfWork.manager.find(Subscription, {
      select: { tenantId: true },
      where: {
        tenantId: In([...tenantIds]),
        processorSubscriptionId: Not(IsNull()),
        processorStatus: Or(IsNull(), Not(In(OVER))),
      },
    });
    return new Set(live.map(({ tenantId }) => tenantId));
  }
}
