import { Injectable } from '@nestjs/common';
import { withFreshLimit } from '../../platform/fresh-limit';
import { err, ok, type Failure, type Result } from '../../platform/result';
import { SeatCounts } from '../data/seat-counts';
import { MAX_PENDING_INVITATIONS_PER_TENANT } from '../domain/tenant-limits';
import { TenantFailures } from '../tenants.failures';

/** Where the limit of a tenant's seats comes from. */
export interface SeatSource {
  /**
   * How many seats the tenant has; null: unlimited.
   * @param isFresh whether it must be read again, because a refusal would follow
   */
  limitOf(tenantId: string, isFresh: boolean): Promise<number | null>;
  /** The details of a refusal. @param used how many seats are taken */
  details(most: number, used: number): Failure['details'];
}

const UNLIMITED: SeatSource = { limitOf: () => Promise.resolve(null), details: () => undefined };
const SEAT_LIMIT = TenantFailures.seatLimit.code;

/**
 * Limits the members and pending invitations of a tenant (docs/contract.md, Seats). The limit
 * depends on what the tenant may do, which the billing module above provides.
 */
@Injectable()
export class SeatLimit {
  private source = UNLIMITED;

  constructor(private readonly seats: SeatCounts) {}

  /** Sets the source of the limits. */
  useSource(source: SeatSource): void {
    this.source = source;
  }

  /**
   * Runs work that may take a seat.
   * @param work one transaction, which holds the tenant's serial lock and calls a check below
   */
  within<T, C extends string>(
    tenantId: string,
    work: (most: number | null) => Promise<Result<T, C>>,
  ): Promise<Result<T, C>> {
    return withFreshLimit(SEAT_LIMIT, (isFresh) => this.source.limitOf(tenantId, isFresh), work);
  }

  /**
   * After an invitation was added: SEAT_LIMIT if there are more members and pending invitations
   * than seats; LIMIT_REACHED if a tenant cannot have so many invitations at all. Members are
   * counted only for a limit: a tenant without one may have a million.
   */
  async checkInvitation(tenantId: string, most: number | null): Promise<Result<void, 'LIMIT_REACHED' | 'SEAT_LIMIT'>> {
    const { members, invitations } =
      most === null
        ? { members: 0, invitations: await this.seats.countInvitations(tenantId) }
        : await this.seats.count(tenantId);
    if (invitations > MAX_PENDING_INVITATIONS_PER_TENANT) return err(TenantFailures.tooManyInvitations);
    return this.checkTaken(members + invitations, most);
  }

  /** After a member was added: SEAT_LIMIT if there are more members than seats. */
  async checkMember(tenantId: string, most: number | null): Promise<Result<void, 'SEAT_LIMIT'>> {
    return most === null ? ok() : this.checkTaken((await this.seats.count(tenantId)).members, most);
  }

  private checkTaken(taken: number, most: number | null): Result<void, 'SEAT_LIMIT'> {
    if (most === null || taken <= most) return ok();
    return err({ ...TenantFailures.seatLimit, details: this.source.details(most, taken - 1) });
  }
}
