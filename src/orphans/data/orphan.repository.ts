import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { OrphanedResource, type ResourceKind } from '../domain/orphaned-resource';
import {
  ADD,
  CREATORS_WITH_ROLE,
  DUE,
  FORGET,
  LIVING,
  MARK_REMINDED,
  OTHER_KEYS,
  PURGE,
  TAKE_OVER,
} from './orphan.statements';

/** An orphaned resource that still works. */
export interface LivingOrphan {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: ResourceKind;
  readonly resourceId: string;
  /** The name of a service account, or the address of a receiver. */
  readonly label: string;
  readonly leftBy: string | null;
  readonly leftAt: Date;
  /** Those of the keys that were left. */
  readonly permissions: readonly string[];
}

/** Stores what members had made who left or lost permissions. */
@Injectable()
export class OrphanRepository extends EntityRepository<OrphanedResource> {
  constructor(unitOfWork: UnitOfWork) {
    super(OrphanedResource, unitOfWork);
  }

  /**
   * Adds what a user has made of these kinds and still works, and forgets what the user left of the
   * others, because they hold its permission again.
   * @returns what was added
   */
  async record(tenantId: string, userId: string, kinds: readonly ResourceKind[], now: Date): Promise<LivingOrphan[]> {
    await this.unitOfWork.query(FORGET, [tenantId, userId, [...kinds]]);
    if (kinds.length === 0) return [];
    const added = await this.unitOfWork.query<{ id: string }>(ADD, [tenantId, userId, [...kinds], now]);
    const ids = added.map(({ id }) => id);
    return ids.length === 0 ? [] : this.list(tenantId, now, ids);
  }

  /** The users with a role who have made what outlives them. */
  async listCreators(tenantId: string, roleId: string): Promise<string[]> {
    const rows = await this.unitOfWork.query<{ userId: string }>(CREATORS_WITH_ROLE, [tenantId, roleId]);
    return rows.map(({ userId }) => userId);
  }

  /** What still works of a tenant, the oldest first. @param ids only these */
  list(tenantId: string, now: Date, ids?: readonly string[]): Promise<LivingOrphan[]> {
    return this.unitOfWork.query<LivingOrphan>(LIVING, [tenantId, now, ids ?? null]);
  }

  /** Locks one that still works. */
  async lock(tenantId: string, id: string, now: Date): Promise<LivingOrphan | undefined> {
    if (!(await this.lockOne({ tenantId, id }))) return undefined;
    return (await this.list(tenantId, now, [id]))[0];
  }

  /** Whether others have usable keys of a service account. */
  async hasOtherKeys({ tenantId, resourceId, leftBy }: LivingOrphan, now: Date): Promise<boolean> {
    return (await this.unitOfWork.query(OTHER_KEYS, [tenantId, resourceId, leftBy, now])).length > 0;
  }

  /** Makes a user the creator of what was left. */
  async takeOver({ tenantId, id, kind, resourceId, leftBy }: LivingOrphan, userId: string, now: Date): Promise<void> {
    const parameters = [tenantId, resourceId, leftBy, userId];
    for (const { sql, hasTime } of TAKE_OVER[kind])
      await this.unitOfWork.query(sql, hasTime ? [...parameters, now] : parameters);
    await this.remove(tenantId, id);
  }

  async remove(tenantId: string, id: string): Promise<void> {
    await this.rows.delete({ tenantId, id });
  }

  /** Forgets what no longer works, across tenants. @returns how many */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.unitOfWork.query(PURGE, [now, limit])).length;
  }

  /** Marks those that were left before, across tenants. @returns them; of two calls, one gets each */
  markReminded(leftBefore: Date, now: Date, limit: number): Promise<OrphanRef[]> {
    return this.unitOfWork.query<OrphanRef>(MARK_REMINDED, [leftBefore, now, limit]);
  }

  /** Those that were left and whose Owner was reminded before, across tenants. */
  listDue(leftBefore: Date, remindedBefore: Date, limit: number): Promise<OrphanRef[]> {
    return this.unitOfWork.query<OrphanRef>(DUE, [leftBefore, remindedBefore, limit]);
  }
}

/** Which one. */
export type OrphanRef = Pick<LivingOrphan, 'tenantId' | 'id'>;
