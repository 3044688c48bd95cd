import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Membership } from '../../tenants/tenants.api';
import { OrphanedResource, type ResourceKind } from '../domain/orphaned-resource';
import { LABEL, LEFT_PERMISSIONS, MADE_BY_USER, MAKERS } from './orphan.statements';

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

/** Which one. */
export type OrphanRef = Pick<LivingOrphan, 'tenantId' | 'id'>;

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
    await this.rows.delete({ tenantId, leftBy: userId, kind: Not(In([...kinds])) });
    const made = await this.unitOfWork.manager
      .createQueryBuilder()
      .select('made.kind', 'kind')
      .addSelect('made.id', 'id')
      .from(`(${MADE_BY_USER})`, 'made')
      .setParameters({ tenantId, userId, now })
      .getRawMany<{ kind: ResourceKind; id: string }>();
    const left = made.filter(({ kind }) => kinds.includes(kind));
    if (left.length === 0) return [];
    const orphans = left.map(({ kind, id }) => OrphanedResource.of(tenantId, kind, id, userId, now));
    await this.rows.createQueryBuilder().insert().values(orphans).orIgnore().execute();
    return this.list(
      tenantId,
      now,
      orphans.map(({ id }) => id),
    );
  }

  /** The users with a role who have made what outlives them. */
  async listCreators(tenantId: string, roleId: string): Promise<string[]> {
    const members = await this.unitOfWork.manager
      .createQueryBuilder(Membership, 'm')
      .select('m.userId', 'userId')
      .where({ tenantId, roleId })
      .andWhere(`m.userId IN (${MAKERS})`, { tenantId })
      .getRawMany<{ userId: string }>();
    return members.map(({ userId }) => userId);
  }

  /** What still works of a tenant, the oldest first. @param ids only these */
  list(tenantId: string, now: Date, ids?: readonly string[]): Promise<LivingOrphan[]> {
    return this.rows
      .createQueryBuilder('o')
      .select(['tenantId', 'id', 'kind', 'resourceId', 'leftBy', 'leftAt'].map((field) => `o.${field} AS "${field}"`))
      .addSelect(LABEL, 'label')
      .addSelect(LEFT_PERMISSIONS, 'permissions')
      .where({ tenantId, ...(ids && { id: In([...ids]) }) })
      .andWhere(`${LABEL} IS NOT NULL`)
      .orderBy('o.leftAt')
      .addOrderBy('o.id')
      .setParameters({ now })
      .getRawMany<LivingOrphan>();
  }

  /** Locks one that still works. */
  async lock(tenantId: string, id: string, now: Date): Promise<LivingOrphan | undefined> {
    if (!(await this.lockOne({ tenantId, id }))) return undefined;
    return (await this.list(tenantId, now, [id]))[0];
  }

  async remove(tenantId: string, id: string): Promise<void> {
    await this.rows.delete({ tenantId, id });
  }

  /** Marks those that were left before, across tenants. @returns them, each to one of two calls */
  async markReminded(leftBefore: Date, now: Date, limit: number): Promise<OrphanRef[]> {
    const due = { leftAt: LessThanOrEqual(leftBefore), remindedAt: IsNull() };
    const found = await this.rows.find({ where: due, order: { leftAt: 'ASC' }, take: limit });
    return this.updateBy({ id: In(found.map(({ id }) => id)), remindedAt: IsNull() }, { remindedAt: now });
  }

  /** Those that were left and whose Owner was reminded before, across tenants. */
  listDue(leftBefore: Date, remindedBefore: Date, limit: number): Promise<OrphanRef[]> {
    const where = { leftAt: LessThanOrEqual(leftBefore), remindedAt: LessThanOrEqual(remindedBefore) };
    return this.rows.find({ where, order: { leftAt: 'ASC' }, take: limit });
  }
}
