import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Clock } from '../../platform/clock';
import type { Permission } from '../../platform/permissions';
import { withoutClaim } from '../../platform/idempotency/without-claim';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { User } from '../../users/users.api';
import { permissionsOf } from '../domain/built-in-roles';
import { Invitation } from '../domain/invitation';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { Tenant } from '../domain/tenant';
import { TenantFailures } from '../tenants.failures';

/** An invitation with what its email and its page show, and what accepting it depends on. */
export interface InvitationDetails {
  readonly invitation: Invitation;
  readonly tenant: Tenant;
  /** The role that it offers. */
  readonly role: Role;
  /** Null if the account was deleted. */
  readonly sender: Pick<User, 'id' | 'name' | 'disabledAt'> | null;
  /** The current permissions of the sender; undefined if disabled or no longer a member. */
  readonly senderPermissions: readonly Permission[] | undefined;
  /** The account with the address; null if there is none. */
  readonly account: Pick<User, 'id' | 'name' | 'isEmailVerified'> | null;
}

/** The entities of one row, as TypeORM joins them to the invitation. */
type Joined = Invitation &
  Pick<InvitationDetails, 'tenant' | 'role' | 'sender' | 'account'> & { readonly senderRole: Role | null };

/** Finds invitations together with what they refer to, with one statement. */
@Injectable()
export class InvitationDetailsRepository extends EntityRepository<Invitation> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(Invitation, unitOfWork);
  }

  /** Finds a pending invitation of a tenant; undefined if it is no longer pending. */
  async findPending(tenantId: string, id: string): Promise<InvitationDetails | undefined> {
    const found = await this.findWhere('i.tenantId = :tenantId AND i.id = :id', { tenantId, id });
    return found?.invitation.isExpired(this.clock.now()) ? undefined : found;
  }

  /**
   * Finds an invitation by its token in any tenant, without using it up. INVITATION_INVALID, also
   * if the sender could no longer send it; INVITATION_EXPIRED.
   */
  findAcceptable(token: string): Promise<Result<InvitationDetails, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'>> {
    return withoutClaim(() => this.unitOfWork.acrossTenants(() => this.findByToken(token)));
  }

  private async findByToken(
    token: string,
  ): Promise<Result<InvitationDetails, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'>> {
    const found = await this.findWhere('i.tokenHash = :tokenHash', { tokenHash: digestOf(token) });
    if (!found) return err(TenantFailures.invitationInvalid);
    const acceptable = found.invitation.checkAcceptable(found.role, found.senderPermissions, this.clock.now());
    return acceptable.ok ? ok(found) : acceptable;
  }

  private async findWhere(condition: string, parameters: object): Promise<InvitationDetails | undefined> {
    const joined = await this.rows
      .createQueryBuilder('i')
      .innerJoinAndMapOne('i.tenant', Tenant, 't', 't.id = i.tenantId')
      .innerJoinAndMapOne('i.role', Role, 'r', 'r.tenantId = i.tenantId AND r.id = i.roleId')
      .leftJoinAndMapOne('i.sender', User, 'u', 'u.id = i.invitedBy')
      .leftJoin(Membership, 'm', 'm.tenantId = i.tenantId AND m.userId = i.invitedBy')
      .leftJoinAndMapOne('i.senderRole', Role, 's', 's.tenantId = m.tenantId AND s.id = m.roleId')
      .leftJoinAndMapOne('i.account', User, 'a', 'a.email = i.email')
      .select(['i', 't', 'r', 's', 'u.id', 'u.name', 'u.disabledAt', 'a.id', 'a.name', 'a.isEmailVerified'])
      .where(condition, parameters)
      .getOne();
    if (!joined) return undefined;
    const { tenant, role, sender, senderRole, account } = joined as Joined;
    const senderPermissions = senderRole && !sender?.disabledAt ? permissionsOf(senderRole) : undefined;
    return { invitation: joined, tenant, role, sender, senderPermissions, account };
  }
}
