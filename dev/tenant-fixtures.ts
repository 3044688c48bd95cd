import type { INestApplicationContext } from '@nestjs/common';
import type { TenantPerson } from '../src/http/access/actor';
import { Clock } from '../src/platform/clock';
import { ALL_PERMISSIONS } from '../src/platform/permissions';
import { ok, type Result } from '../src/platform/result';
import { UnitOfWork } from '../src/platform/database/unit-of-work';
import { Membership } from '../src/tenants/domain/membership';
import { Role } from '../src/tenants/domain/role';
import type { User } from '../src/users/domain/user';

/** Adds a user to a tenant as Member, without an invitation. */
export async function joinAsMember(app: INestApplicationContext, tenantId: string, user: User): Promise<void> {
  const unitOfWork = app.get(UnitOfWork);
  await unitOfWork.inTenant({ tenantId }, async () => {
    const role = await unitOfWork.manager.findOneByOrFail(Role, { tenantId, name: 'Member' });
    await unitOfWork.manager.insert(Membership, Membership.create(user.id, role, app.get(Clock).now()));
    return ok();
  });
}

/** The Owner of a tenant as an actor, for commands outside of a request. */
export const ownerOf = (tenantId: string, userId: string): TenantPerson => ({
  principal: { kind: 'person', id: userId },
  userId,
  tenantId,
  role: 'Owner',
  permissions: ALL_PERMISSIONS,
  isAdmin: false,
  impersonatorId: null,
  tokenId: '',
  expiresAt: 0,
});

/** @returns the value of a success. @throws an error with the message of a failure */
export function valueOf<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
