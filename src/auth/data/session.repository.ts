import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { AuditEntry } from '../../audit/audit.api';
import type { Actor } from '../../http/access/actor';
import { ACTIONS_WITHOUT_EVENT } from '../../platform/audit-actions';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { firstIdAt } from '../../platform/ids';
import { storedJob } from '../../platform/jobs/jobs';
import { currentContext } from '../../platform/observability/request-context';
import { digestOf } from '../../platform/secret-token';
import type { MembershipRow } from '../../tenants/tenants.api';
import { refreshTokenRef, type RefreshTokenRef } from '../domain/refresh-token-text';
import type { RefusedToken } from '../domain/rotation-failure';
import { LastSignIn } from '../domain/last-sign-in';
import { RefreshToken, Session, type Device, type SignIn } from '../domain/session';
import type {
  ImpersonationTarget,
  NewAccessToken,
  PresentedToken,
  SignInRecord,
  TokenExchange,
} from './session-records';
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
import {
  FIND_REFUSED,
  FIND_SUCCESSOR,
  ROTATE_EARLIER_TOKEN,
  ROTATE_TOKEN,
  ROTATE_TOKENS,
  type SubjectMembership,
  type SubjectRow,
  type Successor,
  type SuccessorRow,
} from './token-rotation.statements';

/**
 * Sessions and their refresh tokens. Every statement that changes them locks the session's row
 * first, so that concurrent rotations and revocations queue up. A group of rotations skips the
 * session instead.
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

  /**
   * Replaces live refresh tokens by new ones of the same sessions, in one statement: of concurrent
   * exchanges of a token exactly one succeeds. Several are a transaction of their own, and leave
   * out sessions that another transaction has locked; a single one waits for it.
   * @param maxSeconds maximum lifetime of a session
   * @returns by the id of the new token, the user with the current membership; those whose token
   * was not live are left out
   * @throws if several are exchanged within a transaction
   */
  async rotate(
    exchanges: readonly TokenExchange[],
    now: Date,
    maxSeconds: number,
  ): Promise<ReadonlyMap<string, SubjectMembership>> {
    const isSeveral = exchanges.length > 1;
    if (isSeveral && currentContext().transaction) throw new Error('The statement would leave its scope open.');
    const columns = [
      exchanges.map(({ spent }) => spent.id),
      exchanges.map(({ spent }) => spent.secretHash),
      exchanges.map(({ token }) => token.id),
      exchanges.map(({ token }) => token.secretHash),
      exchanges.map(({ token }) => token.expiresAt),
      exchanges.map(({ device }) => device.ip),
      exchanges.map(({ device }) => device.userAgent),
      exchanges.map(({ tenantId }) => tenantId ?? null),
    ];
    const rows = await this.all<SubjectRow>(
      isSeveral ? ROTATE_TOKENS : exchanges[0].spent.isEarlier ? ROTATE_EARLIER_TOKEN : ROTATE_TOKEN,
      [...(isSeveral ? columns : columns.map(([value]) => value)), now, maxSeconds],
    );
    return new Map(rows.map((row) => [row.tokenId, row.requested ? { ...row, ...row.requested } : row]));
  }

  /**
   * What identifies the token of a request; undefined if it is certainly unknown. A token of an
   * earlier version contains no id and is found by its hash.
   */
  async refOf(refreshToken: string): Promise<PresentedToken | undefined> {
    const ref = refreshTokenRef(refreshToken);
    if (ref) return ref;
    const tokenHash = digestOf(refreshToken);
    const earlier = await this.unitOfWork.manager.findOne(RefreshToken, { select: { id: true }, where: { tokenHash } });
    return earlier ? { id: earlier.id, secretHash: tokenHash, isEarlier: true } : undefined;
  }

  /**
   * The successor of a used refresh token, with its user and membership, if it has the secret with
   * this hash, was issued at `since` or later, and was not used.
   * @param tenantId the tenant of the membership, as in a TokenExchange
   */
  async findSuccessor(
    spentId: string,
    secretHash: Buffer,
    since: Date,
    now: Date,
    tenantId?: string,
  ): Promise<Successor | undefined> {
    const parameters = [spentId, secretHash, firstIdAt(since), now, tenantId ?? null];
    const row = await this.first<SuccessorRow>(FIND_SUCCESSOR, parameters);
    return row && { ...row, ...row.requested };
  }

  /** The state of a refresh token that could not be rotated; undefined if it is unknown. */
  findRefused({ id, secretHash }: RefreshTokenRef): Promise<RefusedToken | undefined> {
    return this.first<RefusedToken>(FIND_REFUSED, [id, secretHash]);
  }

  /** The session that an access token was issued in; undefined after it was purged. */
  async findByAccessToken(tokenId: string): Promise<Session | undefined> {
    return (await this.ofAccessToken(tokenId).getOne()) ?? undefined;
  }

  /** The same, locked until the transaction ends. */
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
    return (await this.all<Row>(sql, parameters))[0];
  }

  private all<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.unitOfWork.query<Row>(sql, parameters);
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
