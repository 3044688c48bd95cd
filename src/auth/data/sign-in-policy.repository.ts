import { Injectable } from '@nestjs/common';
import { Between, IsNull } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { SignInPolicy } from '../domain/sign-in-policy';

/** The sign-in policies of tenants, at most one each. */
@Injectable()
export class SignInPolicyRepository extends EntityRepository<SignInPolicy> {
  constructor(unitOfWork: UnitOfWork) {
    super(SignInPolicy, unitOfWork);
  }

  /** The policy of a tenant, locked until the transaction ends. */
  lock(tenantId: string): Promise<SignInPolicy | null> {
    return this.lockOne({ tenantId });
  }

  /** Days for which a personal token of a tenant can be used; 0: none can; null: no rule. */
  async maxTokenDays(tenantId: string): Promise<number | null> {
    return (await this.rows.findOneBy({ tenantId }))?.maxTokenDays ?? null;
  }

  /** Stores a policy in place of an earlier one. */
  async put(policy: SignInPolicy): Promise<void> {
    await this.rows.upsert(policy, ['tenantId']);
  }

  /** @returns false if the tenant has none */
  async remove(tenantId: string): Promise<boolean> {
    return (await this.rows.delete({ tenantId })).affected === 1;
  }

  /**
   * Marks the policies that ask for a second factor within this time and were not announced again;
   * across tenants. Of two concurrent calls, one marks each.
   */
  markReminded(from: Date, until: Date): Promise<SignInPolicy[]> {
    const isDue = { secondFactorFrom: Between(from, until), remindedAt: IsNull() };
    return this.updateBy(isDue, { remindedAt: from });
  }
}
