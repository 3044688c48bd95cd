import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import { UnitOfWork } from '../../platform/unit-of-work';
import { Role } from '../domain/role';
import { Invitation } from '../domain/invitation';
import { TenantFailures } from '../tenants.failures';
import { CIRCUMSTANCES, FIND_BY_TOKEN, INSERT_UNLESS_WAITING, ISSUE_TOKEN } from './invitation.statements';

/** What must be known before somebody is invited. */
export interface Circumstances {
  readonly role: Role;
  readonly tenantName: string;
  readonly ownerId: string;
  /** Null where the address has no account. */
  readonly invitedUserId: string | null;
  readonly isMember: boolean;
}

/** An invitation as its token finds it. */
export interface FoundInvitation extends Pick<Invitation, 'id' | 'tenantId' | 'email' | 'expiresAt'> {
  readonly token: string;
  readonly tenantName: string;
  readonly tenantCreatedAt: Date;
  readonly role: string;
  readonly accountExists: boolean;
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

  /** One look at all that inviting depends on; the role stays as it is until the transaction ends. Undefined when there is no such role. */
  async circumstances(tenantId: string, email: string, roleId: string | null): Promise<Circumstances | undefined> {
    type Row = Omit<Circumstances, 'role'> & Pick<Role, 'id' | 'name' | 'isBuiltIn' | 'isOwner' | 'permissions'>;
    const [row] = await this.unitOfWork.query<Row>(CIRCUMSTANCES, [tenantId, email, roleId]);
    if (!row) return undefined;
    const { id, name, isBuiltIn, isOwner, permissions, ...rest } = row;
    return { ...rest, role: Object.assign(new Role(), { tenantId, id, name, isBuiltIn, isOwner, permissions }) };
  }

  /** Lets the index decide whether one is waiting already: ALREADY_INVITED. One that has expired is replaced. */
  async add(invitation: Omit<Invitation, 'tokenHash'>): Promise<Result> {
    const { tenantId, id, email, roleId, invitedBy, createdAt, expiresAt } = invitation;
    const added = await this.unitOfWork.query(INSERT_UNLESS_WAITING, [tenantId, id, email, roleId, invitedBy, createdAt, expiresAt]);
    return added.length === 1 ? ok() : err(TenantFailures.alreadyInvited);
  }

  /** Renews an invitation; its old link no longer works. @returns undefined when there is none */
  async renew(tenantId: string, id: string, expiresAt: Date): Promise<Pick<Invitation, 'email'> | undefined> {
    const sql = 'UPDATE invitations SET expires_at = $3, token_hash = NULL WHERE tenant_id = $1 AND id = $2 RETURNING email';
    const [renewed] = await this.unitOfWork.query<Pick<Invitation, 'email'>>(sql, [tenantId, id, expiresAt]);
    return renewed;
  }

  /** A new token for an invitation that still waits, with what its mail says; it replaces the one before. */
  async issueToken(tenantId: string, id: string): Promise<InvitationMailing | undefined> {
    const token = newSecretToken();
    const parameters = [tenantId, id, digestOf(token), this.clock.now()];
    const [mailing] = await this.unitOfWork.query<Omit<InvitationMailing, 'token'>>(ISSUE_TOKEN, parameters);
    return mailing && { ...mailing, token };
  }

  /** What a token invites to, without using it up; its tenant is not known before. INVITATION_INVALID or _EXPIRED. */
  async find(token: string): Promise<Result<FoundInvitation>> {
    const looked = await this.unitOfWork.within(EVERY_TENANT, async () =>
      ok(await this.unitOfWork.query<Omit<FoundInvitation, 'token'>>(FIND_BY_TOKEN, [digestOf(token)])),
    );
    if (!looked.ok) return looked;
    const [found] = looked.value;
    if (!found) return err(TenantFailures.invitationInvalid);
    return found.expiresAt > this.clock.now() ? ok({ ...found, token }) : err(TenantFailures.invitationExpired);
  }

  /** Uses an invitation up: of two at once, one succeeds. @returns undefined for the other */
  async consume({ tenantId, id, token }: FoundInvitation): Promise<Pick<Invitation, 'roleId'> | undefined> {
    const sql = `DELETE FROM invitations WHERE tenant_id = $1 AND id = $2 AND token_hash = $3 AND expires_at > $4 RETURNING role_id AS "roleId"`;
    const [used] = await this.unitOfWork.query<Pick<Invitation, 'roleId'>>(sql, [tenantId, id, digestOf(token), this.clock.now()]);
    return used;
  }

  /** Takes an invitation back. @returns undefined when there is none */
  async revoke(tenantId: string, id: string): Promise<Pick<Invitation, 'email'> | undefined> {
    const sql = 'DELETE FROM invitations WHERE tenant_id = $1 AND id = $2 RETURNING email';
    const [revoked] = await this.unitOfWork.query<Pick<Invitation, 'email'>>(sql, [tenantId, id]);
    return revoked;
  }

  /** Takes back all invitations to a role. */
  revokeForRole({ tenantId, id }: Role): Promise<Pick<Invitation, 'tenantId' | 'id' | 'email'>[]> {
    const sql = 'DELETE FROM invitations WHERE tenant_id = $1 AND role_id = $2 RETURNING tenant_id AS "tenantId", id, email';
    return this.unitOfWork.query(sql, [tenantId, id]);
  }
}
