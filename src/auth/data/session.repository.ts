import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { AuditEntry } from '../../audit/audit.api';
import type { Actor } from '../../http/access/actor';
import { ACTIONS_WITHOUT_EVENT } from '../../platform/audit-actions';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { storedJob } from '../../platform/jobs/jobs';
import { currentContext } from '../../platform/observability/request-context';
import type { MembershipRow } from '../../tenants/tenants.api';
import { LastSignIn } from '../domain/last-sign-in';
import type { PolicyObstacle } from '../domain/sign-in-policy';
import { RefreshToken, Session, type Device, type SignIn } from '../domain/session';
import type { ImpersonationTarget, NewAccessToken, SignInRecord } from './session-records';
import {
  AUDIT_ENTRY,
  FIRST_TOKEN,
  LAST_SIGN_IN,
  LOCK_IMPERSONATION_TARGET,
  NEW_SESSION,
  OPEN_SESSION,
  SWITCH_TENANT,
  type TenantSwitch,
} from './session.statements';

/**
 * Sessions. Every statement that changes one locks its row first, as the exchanges of its refresh
 * tokens do (RefreshTokenRepository), so that concurrent rotations and revocations queue up.
 */
@Injectable()
export class SessionRepository extends EntityRepository<Session> {
  constructor(unitOfWork: UnitOfWork) {
    super(Session, unitOfWork);
  }

  /**
   * Stores a new session with its first refresh token, provided that the account has not changed
   * since the user was authenticated: a simultaneous password reset or disabling either comes first
   * and prevents the session, or comes later and revokes it.
   * @returns the membership of the active tenant, or undefined if the session was prevented
   */
  open(
    session: Session,
    token: RefreshToken,
    { passwordHash, hasSecondFactor, signIn, tenantId, job }: SignInRecord,
  ): Promise<MembershipRow | undefined> {
    return this.first<MembershipRow>(OPEN_SESSION, [
      session.userId,
      passwordHash,
      tenantId ?? null,
      job ? JSON.stringify(storedJob(job)) : null,
      hasSecondFactor,
      session.createdAt,
      session.secondFactorAt !== null,
      session.methods,
      ...NEW_SESSION.parameters(session),
      ...FIRST_TOKEN.parameters(token),
      ...AUDIT_ENTRY.parameters(auditEntryOf(session, signIn)),
      ...LAST_SIGN_IN.parameters(LastSignIn.of(session, signIn)),
    ]);
  }

  /** The session that an access token was issued in; undefined after it was purged. */
  async findByAccessToken(tokenId: string): Promise<Session | undefined> {
    return (await this.ofAccessToken(tokenId).getOne()) ?? undefined;
  }

  /** The same, with what keeps the session out of a tenant, in one message. */
  async findWithObstacle(
    tokenId: string,
    tenantId: string,
    now: Date,
  ): Promise<{ readonly session: Session | undefined; readonly obstacle: PolicyObstacle | null }> {
    const query = this.ofAccessToken(tokenId)
      .addSelect('sign_in_obstacle(t.id, :tenantId, :now)', 'obstacle')
      .setParameters({ tenantId, now });
    const { entities, raw } = await query.getRawAndEntities<{ obstacle: PolicyObstacle | null }>();
    return { session: entities[0], obstacle: raw[0]?.obstacle ?? null };
  }

  /** The same as the first, locked until the transaction ends. */
  async lockByAccessToken(tokenId: string): Promise<Session | undefined> {
    const query = this.ofAccessToken(tokenId).setLock('pessimistic_write', undefined, ['s']);
    return (await query.getOne()) ?? undefined;
  }

  /** Saves a session that this transaction has locked. */
  save(session: Session): Promise<void> {
    return this.updateLater(session);
  }

  /**
   * Changes the active tenant of the session that an access token was issued in, if the user is a
   * member. The refresh token of the session stays valid.
   * @param access the access token for the new tenant
   * @returns undefined if the user is not a member
   */
  switchTenant(
    { userId, tokenId }: Pick<Actor, 'userId' | 'tokenId'>,
    tenantId: string,
    access: NewAccessToken,
    now: Date,
    { ip, userAgent }: Device,
  ): Promise<TenantSwitch | undefined> {
    const parameters = [tokenId, tenantId, now, ip, userAgent, access.id, access.expiresAt, userId];
    return this.first<TenantSwitch>(SWITCH_TENANT, parameters);
  }

  /**
   * Adds an access token to the session that another one was issued in; inside a transaction, which
   * locks the session against changes.
   * @returns false if the session has ended
   */
  async addAccessToken(tokenId: string, access: NewAccessToken): Promise<boolean> {
    const session = await this.ofAccessToken(tokenId).setLock('pessimistic_read', undefined, ['s']).getOne();
    if (!session || session.revokedAt) return false;
    await this.unitOfWork.manager.insert(RefreshToken, RefreshToken.ofAccess(session.id, access));
    return true;
  }

  /**
   * A user with the membership for an impersonation. The account is locked against changes until
   * the transaction ends.
   * @param tenantId the active tenant; undefined for the tenant that was active last
   * @returns undefined if there is no such user, or the user is not a member of the tenant
   */
  async lockImpersonationTarget(userId: string, tenantId?: string): Promise<ImpersonationTarget | undefined> {
    const parameters = [userId, tenantId ?? null];
    const user = await this.first<ImpersonationTarget>(LOCK_IMPERSONATION_TARGET, parameters);
    return tenantId && user?.tenantId !== tenantId ? undefined : user;
  }

  private async first<Row extends object>(sql: string, parameters: unknown[]): Promise<Row | undefined> {
    return (await this.unitOfWork.query<Row>(sql, parameters))[0];
  }

  private ofAccessToken(tokenId: string): SelectQueryBuilder<Session> {
    const tokens = this.rows.createQueryBuilder('s').innerJoin(RefreshToken, 't', 't.sessionId = s.id');
    return tokens.where('t.id = :tokenId', { tokenId });
  }
}

/** The statement adds the active tenant. Flags that are not set are left out. */
function auditEntryOf({ id, userId, createdAt }: Session, signIn: SignIn): AuditEntry {
  const data = Object.fromEntries(Object.entries(signIn).filter(([, value]) => value !== false));
  const by = { userId, impersonatorId: null };
  const action = ACTIONS_WITHOUT_EVENT.signedIn;
  const record = { action, by, tenantId: null, target: { type: 'session', id }, data };
  return AuditEntry.of(record, currentContext(), createdAt);
}
