import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { Clock, DAY, addSeconds, secondsBetween } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { withFreshLimit } from '../../platform/fresh-limit';
import { err, ok, type Result } from '../../platform/result';
import { select } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The default limit per day, unless a source is set. */
const PER_DAY = 20;
const RATE_LIMITED = PlatformFailures.rateLimited.code;

/** The number of invitations that may be emailed in a day. */
export interface InvitationLimit {
  /** For the tenant. */
  readonly perTenant: number;
  /** For the sender over all tenants with such a limit; null: not counted. */
  readonly perUser: number | null;
}

/** @param isFresh whether it must be read again, because a refusal would follow */
type LimitSource = (tenantId: string, isFresh: boolean) => Promise<InvitationLimit>;

interface Count {
  readonly mayTenant: boolean;
  readonly mayUser: boolean;
  /** When the day of the tenant began, as this statement found it. */
  readonly tenantSince: Date;
  /** The same of the sender. */
  readonly userSince: Date;
}

/** Increments a row of `q`, or starts a new day. Returns no row if the limit is reached. */
const counted = (limit: string) => `
    DO UPDATE
    SET window_started_at = CASE WHEN q.window_started_at <= $3 THEN $2 ELSE q.window_started_at END,
        sent = CASE WHEN q.window_started_at <= $3 THEN 1 ELSE q.sent + 1 END
    WHERE q.window_started_at <= $3 OR q.sent < ${limit}
    RETURNING sent`;

/**
 * When the day began in which a limit was reached. If the statement sees no current day, another
 * transaction, for which this one has waited, has just begun it: then the day begins now.
 */
const since = (table: string, row: string) =>
  `coalesce((SELECT window_started_at FROM ${table} WHERE ${row} AND window_started_at > $3), $2)`;

/**
 * The row locks serialize concurrent invitations, so that together they cannot exceed the limit.
 * The tenant's row is always locked first.
 */
const TAKE = `
  WITH by_tenant AS (
    INSERT INTO invitation_quotas AS q (tenant_id, window_started_at, sent) VALUES ($1, $2, 1)
    ON CONFLICT (tenant_id) ${counted('$4')}
  ), by_user AS (
    INSERT INTO inviter_quotas AS q (user_id, window_started_at, sent) SELECT $5::uuid, $2::timestamptz, 1
      FROM by_tenant WHERE $6::int IS NOT NULL
    ON CONFLICT (user_id) ${counted('$6')}
  )
  SELECT ${select<Count>()({
    mayTenant: 'EXISTS (SELECT FROM by_tenant)',
    mayUser: '$6::int IS NULL OR EXISTS (SELECT FROM by_user)',
    tenantSince: since('invitation_quotas', 'tenant_id = $1'),
    userSince: since('inviter_quotas', 'user_id = $5'),
  })}`;

/**
 * Limits the invitation emails per day (docs/contract.md, Email limits): for a tenant, and on the
 * Free plan for a sender over all their tenants, because anybody can create and delete tenants. The
 * limit depends on the tenant's plan, which the billing module above provides.
 */
@Injectable()
export class InvitationQuota {
  private source: LimitSource = () => Promise.resolve({ perTenant: PER_DAY, perUser: PER_DAY });

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rateLimitMetrics: RateLimitMetrics,
    private readonly clock: Clock,
  ) {}

  /** Sets the source of the limits. */
  useSource(source: LimitSource): void {
    this.source = source;
  }

  /**
   * Runs work that sends an invitation.
   * @param work one transaction, which calls `take` with the limits of the tenant and its senders
   */
  within<T, C extends string>(
    tenantId: string,
    work: (limit: InvitationLimit) => Promise<Result<T, C>>,
  ): Promise<Result<T, C>> {
    return withFreshLimit(RATE_LIMITED, (isFresh) => this.source(tenantId, isFresh), work);
  }

  /** The emails of a tenant in its current day, in a transaction that sees the tenant. */
  async used(tenantId: string): Promise<number> {
    const since = addSeconds(this.clock.now(), -DAY);
    const day = await this.unitOfWork.manager
      .createQueryBuilder()
      .select('q.sent', 'sent')
      .from('invitation_quotas', 'q')
      .where('q.tenant_id = :tenantId AND q.window_started_at > :since', { tenantId, since })
      .getRawOne<{ sent: number }>();
    return day?.sent ?? 0;
  }

  /**
   * Counts one email in the transaction that sends it; an Err rolls the count back. RATE_LIMITED
   * until 24 hours after the first email of the day.
   */
  async take(
    { tenantId, userId }: TenantActor,
    { perTenant, perUser }: InvitationLimit,
  ): Promise<Result<void, 'RATE_LIMITED'>> {
    const now = this.clock.now();
    const parameters = [tenantId, now, addSeconds(now, -DAY), perTenant, userId, perUser];
    const [count] = await this.unitOfWork.query<Count>(TAKE, parameters);
    const { mayTenant, mayUser, tenantSince, userSince } = count;
    if (mayTenant && mayUser) return ok();
    this.rateLimitMetrics.count('invitations');
    const [since, message] = mayTenant ? [userSince, USER_LIMIT_REACHED] : [tenantSince, TENANT_LIMIT_REACHED];
    return err({
      ...PlatformFailures.rateLimited,
      message,
      retryAfter: secondsBetween(now, addSeconds(since, DAY)),
    });
  }
}

const TENANT_LIMIT_REACHED = 'This tenant has reached the daily limit of invitations of its plan. Try again later.';
const USER_LIMIT_REACHED =
  'You have reached the daily limit of invitations on the Free plan, counted over all your tenants. Try again later.';
