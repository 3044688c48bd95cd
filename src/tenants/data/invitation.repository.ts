import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { Permission } from '../../platform/permissions';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { permissionsOf, type StoredRole } from '../domain/built-in-roles';
import { Invitation } from '../domain/invitation';
import { MAX_OPEN_INVITATIONS_PER_TENANT } from '../domain/tenant-limits';
import { holdsAll, Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';
import {
  FIND_RECIPIENTS,
  FIND_BY_TOKEN,
  FIND_INVITED,
  HOLD_ROLE,
  INSERT_UNLESS_WAITING,
  ISSUE_TOKEN,
  REVOKE_OFFERS_OF,
  ROLES_OFFERED_BY,
} from './invitation.statements';

/** The users to notify about an invitation. */
export interface InvitationRecipients {
  readonly tenantName: string;
  readonly ownerId: string;
  /** Null where the address has no account. */
  readonly invitedUserId: string | null;
  readonly isMember: boolean;
}

/** An invitation as its token finds it. */
export interface FoundInvitation extends Pick<Invitation, 'id' | 'tenantId' | 'email' | 'invitedBy' | 'expiresAt'> {
  readonly token: string;
  readonly tenantName: string;
  readonly tenantCreatedAt: Date;
  readonly role: string;
  readonly accountExists: boolean;
}

type FoundRow = Omit<FoundInvitation, 'token'> & {
  readonly offered: StoredRole;
  readonly senderRole: StoredRole | null;
};

/** Who gets the mail of an invitation. */
export interface Invited {
  readonly address: string;
  /** Whether nobody with that address has ever signed in. */
  readonly isNew: boolean;
  readonly invitedBy: string;
}

/** What the mail says. */
export interface InvitationMailing {
  readonly token: string;
  readonly email: string;
  readonly tenantName: string;
  readonly role: string;
  readonly inviter: string | null;
}

/** Invitations that wait. Only the SHA-256 of their tokens is stored. */
@Injectable()
export class InvitationRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The users to notify about an invitation, and whether the address belongs to a member now. */
  async findRecipients(tenantId: string, email: string): Promise<InvitationRecipients> {
    const [recipients] = await this.unitOfWork.query<InvitationRecipients>(FIND_RECIPIENTS, [tenantId, email]);
    return recipients;
  }

  /**
   * The role that an invitation is for; it stays as it is until the transaction ends. Undefined
   * when there is no such invitation.
   */
  async lockRole(tenantId: string, id: string): Promise<Role | undefined> {
    const [role] = await this.unitOfWork.query<Role>(HOLD_ROLE, [tenantId, id]);
    return role && Object.assign(new Role(), role);
  }

  /**
   * Lets the index decide whether one is waiting already: ALREADY_INVITED. One that has expired is
   * replaced.
   */
  async add(invitation: Omit<Invitation, 'tokenHash'>): Promise<Result> {
    const { tenantId, id, email, roleId, invitedBy, createdAt, expiresAt } = invitation;
    const added = await this.unitOfWork.query(INSERT_UNLESS_WAITING, [
      tenantId,
      id,
      email,
      roleId,
      invitedBy,
      createdAt,
      expiresAt,
    ]);
    return added.length === 1 ? ok() : err(TenantFailures.alreadyInvited);
  }

  /**
   * LIMIT_REACHED when more are open than a tenant may have. Counted after one was added, by who
   * has the tenant in turn.
   */
  async checkLimit(tenantId: string): Promise<Result> {
    const sql = 'SELECT count(*)::int AS open FROM invitations WHERE tenant_id = $1 AND expires_at > $2';
    const [{ open }] = await this.unitOfWork.query<{ open: number }>(sql, [tenantId, this.clock.now()]);
    return open <= MAX_OPEN_INVITATIONS_PER_TENANT ? ok() : err(TenantFailures.tooManyInvitations);
  }

  /**
   * Renews an invitation, which is `by`'s from now on; its old link no longer works.
   * @returns undefined when there is none
   */
  async renew(
    tenantId: string,
    id: string,
    by: string,
    expiresAt: Date,
  ): Promise<Pick<Invitation, 'email'> | undefined> {
    const sql = `UPDATE invitations SET expires_at = $4, invited_by = $3, token_hash = NULL WHERE tenant_id = $1
      AND id = $2 RETURNING email`;
    const [renewed] = await this.unitOfWork.query<Pick<Invitation, 'email'>>(sql, [tenantId, id, by, expiresAt]);
    return renewed;
  }

  /** Who a waiting invitation is for, and from; undefined when it does not wait any more. */
  async findInvited(tenantId: string, id: string): Promise<Invited | undefined> {
    const [invited] = await this.unitOfWork.query<Invited>(FIND_INVITED, [tenantId, id, this.clock.now()]);
    return invited;
  }

  /**
   * A new token for an invitation that still waits, with what its mail says; it replaces the one
   * before.
   */
  async issueToken(tenantId: string, id: string): Promise<InvitationMailing | undefined> {
    const token = newSecretToken();
    const parameters = [tenantId, id, digestOf(token), this.clock.now()];
    const [mailing] = await this.unitOfWork.query<Omit<InvitationMailing, 'token'>>(ISSUE_TOKEN, parameters);
    return mailing && { ...mailing, token };
  }

  /**
   * What a token invites to, without using it up; its tenant is not known before.
   * INVITATION_INVALID, also when its sender could not send it any more; INVITATION_EXPIRED.
   */
  async find(token: string): Promise<Result<FoundInvitation>> {
    const looked = await this.unitOfWork.acrossTenants(async () =>
      ok(await this.unitOfWork.query<FoundRow>(FIND_BY_TOKEN, [digestOf(token)])),
    );
    if (!looked.ok) return looked;
    const [row] = looked.value;
    if (!row) return err(TenantFailures.invitationInvalid);
    const { offered, senderRole, ...found } = row;
    if (!senderRole || !holdsAll(permissionsOf(senderRole), permissionsOf(offered)))
      return err(TenantFailures.invitationInvalid);
    return found.expiresAt > this.clock.now() ? ok({ ...found, token }) : err(TenantFailures.invitationExpired);
  }

  /** Uses an invitation up: of two at once, one succeeds. */
  async consume({ tenantId, id, token }: FoundInvitation): Promise<boolean> {
    const sql =
      'DELETE FROM invitations WHERE tenant_id = $1 AND id = $2 AND token_hash = $3 AND expires_at > $4 RETURNING id';
    return (await this.unitOfWork.query(sql, [tenantId, id, digestOf(token), this.clock.now()])).length === 1;
  }

  /** Takes an invitation back. @returns undefined when there is none */
  async revoke(tenantId: string, id: string): Promise<Pick<Invitation, 'email'> | undefined> {
    const sql = 'DELETE FROM invitations WHERE tenant_id = $1 AND id = $2 RETURNING email';
    const [revoked] = await this.unitOfWork.query<Pick<Invitation, 'email'>>(sql, [tenantId, id]);
    return revoked;
  }

  /** Takes back all invitations to a role. */
  revokeForRole({ tenantId, id }: Role): Promise<Pick<Invitation, 'tenantId' | 'id' | 'email'>[]> {
    const sql =
      'DELETE FROM invitations WHERE tenant_id = $1 AND role_id = $2 RETURNING tenant_id AS "tenantId", id, email';
    return this.unitOfWork.query(sql, [tenantId, id]);
  }

  /**
   * Takes back all that somebody has sent to roles beyond what they hold; all where they may not
   * invite any more, or are no member (undefined).
   */
  async revokeBeyond(
    tenantId: string,
    senderId: string,
    held?: readonly Permission[],
  ): Promise<Pick<Invitation, 'tenantId' | 'id' | 'email'>[]> {
    const roles = await this.unitOfWork.query<StoredRole & { id: string }>(ROLES_OFFERED_BY, [tenantId, senderId]);
    const mayInvite = held?.includes('tenant.members.invite');
    const beyond = roles.filter((role) => !mayInvite || !holdsAll(held!, permissionsOf(role)));
    return beyond.length === 0
      ? []
      : this.unitOfWork.query(REVOKE_OFFERS_OF, [tenantId, senderId, beyond.map(({ id }) => id)]);
  }
}
