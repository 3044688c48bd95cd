import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { firstIdAt } from '../../platform/ids';
import { currentContext } from '../../platform/observability/request-context';
import { digestOf } from '../../platform/secret-token';
import { refreshTokenRef, type RefreshTokenRef } from '../domain/refresh-token-text';
import type { RefusedToken } from '../domain/rotation-failure';
import { RefreshToken } from '../domain/session';
import type { PresentedToken, TokenExchange } from './session-records';
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
 * Refresh tokens and their exchange. A single exchange waits for the row of its session; a group
 * of exchanges skips sessions that are locked.
 */
@Injectable()
export class RefreshTokenRepository extends EntityRepository<RefreshToken> {
  constructor(unitOfWork: UnitOfWork) {
    super(RefreshToken, unitOfWork);
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
    const earlier = await this.rows.findOne({ select: { id: true }, where: { tokenHash } });
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
    const [row] = await this.all<SuccessorRow>(FIND_SUCCESSOR, parameters);
    return row && { ...row, ...row.requested };
  }

  /** The state of a refresh token that could not be rotated; undefined if it is unknown. */
  async findRefused({ id, secretHash }: RefreshTokenRef): Promise<RefusedToken | undefined> {
    return (await this.all<RefusedToken>(FIND_REFUSED, [id, secretHash]))[0];
  }

  private all<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.unitOfWork.query<Row>(sql, parameters);
  }
}
