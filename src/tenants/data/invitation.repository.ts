import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import type { Permission } from '../../platform/permissions';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { permissionsOf, type StoredRole } from '../domain/built-in-roles';
import { Invitation } from '../domain/invitation';
import { MAX_PENDING_INVITATIONS_PER_TENANT } from '../domain/tenant-limits';
import { holdsAll, Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';
import {
  FIND_RECIPIENTS,
  FIND_BY_TOKEN,
  FIND_ADDRESSEE,
  LOCK_ROLE,
  INSERT_OR_REPLACE_EXPIRED,
  NEW_INVITATION,
  ISSUE_TOKEN,
  FIND_ROLES_OFFERED_BY,
} from './invitation.statements';

/** The users to notify about an invitation. */
export interface InvitationRecipients {
  readonly tenantName: string;
  readonly ownerId: string;
  /** Null if the address has no account. */
  readonly invitedUserId: string | null;
  readonly isMember: boolean;
}

/** An invitation as found by its token. */
export interface FoundInvitation extends Pick<Invitation, 'id' | 'tenantId' | 'email' | 'invitedBy' | 'expiresAt'> {
  readonly token: string;
  readonly tenantName: string;
  readonly tenantCreatedAt: Date;
  readonly role: string;
  readonly accountExists: boolean;
  /** The name of the sender, without whom no invitation is valid. */
  readonly inviterName: string;
}

type FoundRow = Omit<FoundInvitation, 'token'> & {
  readonly offered: StoredRole;
  readonly senderRole: StoredRole | null;
};

/** The recipient of an invitation mail. */
export interface InvitationAddressee {
  readonly address: string;
  /** Whether no user with this address has ever signed in. */
  readonly isNew: boolean;
  readonly invitedBy: string;
}

/** The content of an invitation mail. */
export interface InvitationMailContent {
  readonly token: string;
  readonly email: string;
  readonly tenantName: string;
  readonly role: string;
  /** The name of the sender; null if the account was deleted. */
  readonly inviter: string | null;
  /** The name of the recipient; null if the address has no account. */
  readonly recipient: string | null;
}

/** Stores pending invitations. Tokens are stored as SHA-256 digests only. */
@Injectable()
export class InvitationRepository extends EntityRepository<Invitation> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(Invitation, unitOfWork);
  }

  /** The users to notify about an invitation, and whether the address belongs to a member now. */
  async findRecipients(tenantId: string, email: string): Promise<InvitationRecipients> {
    const [recipients] = await this.unitOfWork.query<InvitationRecipients>(FIND_RECIPIENTS, [tenantId, email]);
    return recipients;
  }

  /**
   * Locks the role of an invitation until the transaction ends. Undefined if the invitation does
   * not exist.
   */
  async lockRole(tenantId: string, id: string): Promise<Role | undefined> {
    const [role] = await this.unitOfWork.query(LOCK_ROLE, [tenantId, id]);
    return role && entityOf(Role, role);
  }

  /**
   * Adds an invitation, or replaces an expired one for the same address. ALREADY_INVITED, decided
   * by the unique index.
   */
  async add(invitation: Invitation): Promise<Result<void, 'ALREADY_INVITED'>> {
    const parameters = [invitation.createdAt, ...NEW_INVITATION.parameters(invitation)];
    const added = await this.unitOfWork.query(INSERT_OR_REPLACE_EXPIRED, parameters);
    return added.length === 1 ? ok() : err(TenantFailures.alreadyInvited);
  }

  /**
   * LIMIT_REACHED if the tenant has more invitations than allowed. Counted after the insert, in a
   * transaction that holds the tenant's serial lock.
   */
  async checkLimit(tenantId: string): Promise<Result<void, 'LIMIT_REACHED'>> {
    const pending = await this.rows.countBy({ tenantId, expiresAt: MoreThan(this.clock.now()) });
    return pending <= MAX_PENDING_INVITATIONS_PER_TENANT ? ok() : err(TenantFailures.tooManyInvitations);
  }

  /**
   * Renews an invitation in the name of `senderId`; its old link stops working.
   * @returns undefined if the invitation does not exist
   */
  async renew(tenantId: string, id: string, senderId: string, expiresAt: Date): Promise<Invitation | undefined> {
    return (await this.updateBy({ tenantId, id }, { expiresAt, invitedBy: senderId, tokenHash: null }))[0];
  }

  /** Finds the recipient of a pending invitation; undefined if it is no longer pending. */
  async findAddressee(tenantId: string, id: string): Promise<InvitationAddressee | undefined> {
    const [addressee] = await this.unitOfWork.query<InvitationAddressee>(FIND_ADDRESSEE, [
      tenantId,
      id,
      this.clock.now(),
    ]);
    return addressee;
  }

  /**
   * Replaces the token of a pending invitation and returns it with the content of the mail;
   * undefined if the invitation is no longer pending.
   */
  async issueToken(tenantId: string, id: string): Promise<InvitationMailContent | undefined> {
    const token = newSecretToken();
    const parameters = [tenantId, id, digestOf(token), this.clock.now()];
    const [content] = await this.unitOfWork.query<Omit<InvitationMailContent, 'token'>>(ISSUE_TOKEN, parameters);
    return content && { ...content, token };
  }

  /**
   * Finds an invitation by its token in any tenant, without using it up. INVITATION_INVALID, also
   * if the sender could no longer send it; INVITATION_EXPIRED.
   */
  async find(token: string): Promise<Result<FoundInvitation, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'>> {
    const result = await this.unitOfWork.acrossTenants(async () =>
      ok(await this.unitOfWork.query<FoundRow>(FIND_BY_TOKEN, [digestOf(token)])),
    );
    if (!result.ok) return result;
    const [row] = result.value;
    if (!row) return err(TenantFailures.invitationInvalid);
    const { offered, senderRole, ...found } = row;
    if (!senderRole || !holdsAll(permissionsOf(senderRole), permissionsOf(offered)))
      return err(TenantFailures.invitationInvalid);
    return found.expiresAt > this.clock.now() ? ok({ ...found, token }) : err(TenantFailures.invitationExpired);
  }

  /** Uses an invitation up. Of two concurrent attempts, one succeeds. */
  async consume({ tenantId, id, token }: FoundInvitation): Promise<boolean> {
    const pending = { tenantId, id, tokenHash: digestOf(token), expiresAt: MoreThan(this.clock.now()) };
    return (await this.deleteBy(pending)).length === 1;
  }

  /** Revokes an invitation. @returns undefined if it does not exist */
  async revoke(tenantId: string, id: string): Promise<Invitation | undefined> {
    return (await this.deleteBy({ tenantId, id }))[0];
  }

  /** Revokes all invitations to a role. */
  revokeForRole({ tenantId, id }: Role): Promise<Invitation[]> {
    return this.deleteBy({ tenantId, roleId: id });
  }

  /** Deletes the invitations that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }

  /**
   * Revokes the invitations of a sender to roles with permissions that the sender lacks; all of
   * them if the sender may no longer invite, or is no longer a member (`held` is undefined).
   */
  async revokeUngrantable(tenantId: string, senderId: string, held?: readonly Permission[]): Promise<Invitation[]> {
    const roles = await this.unitOfWork.query<StoredRole & { id: string }>(FIND_ROLES_OFFERED_BY, [tenantId, senderId]);
    const mayInvite = held?.includes('tenant.members.invite');
    const ungrantable = roles.filter((role) => !mayInvite || !holdsAll(held!, permissionsOf(role)));
    if (ungrantable.length === 0) return [];
    return this.deleteBy({ tenantId, invitedBy: senderId, roleId: In(ungrantable.map(({ id }) => id)) });
  }
}
