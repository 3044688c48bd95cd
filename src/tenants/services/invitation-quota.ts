import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { Clock, DAY, addSeconds, secondsBetween } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Where nobody says otherwise. */
const PER_DAY = 20;

/** How many invitations may be mailed in a day. */
export interface InvitationLimit {
  /** By the tenant. */
  readonly perTenant: number;
  /** By the person over all tenants with such a limit; null: they are not counted. */
  readonly perPerson: number | null;
}

type LimitSource = (tenantId: string) => Promise<InvitationLimit>;

/**
 * Adds one to a row of `q`, or begins a new day. No row is returned when it has reached the limit.
 */
const counted = (limit: string) => `
    DO UPDATE
    SET window_started_at = CASE WHEN q.window_started_at <= $3 THEN $2 ELSE q.window_started_at END,
        sent = CASE WHEN q.window_started_at <= $3 THEN 1 ELSE q.sent + 1 END
    WHERE q.window_started_at <= $3 OR q.sent < ${limit}
    RETURNING sent`;

/**
 * The locks of both rows put invitations in order: of many at once, no more are allowed than of
 * many one by one. The tenant's is always taken first.
 */
const TAKE = `
  WITH of_tenant AS (
    INSERT INTO invitation_quotas AS q (tenant_id, window_started_at, sent) VALUES ($1, $2, 1)
    ON CONFLICT (tenant_id) ${counted('$4')}
  ), of_person AS (
    INSERT INTO inviter_quotas AS q (user_id, window_started_at, sent) SELECT $5::uuid, $2::timestamptz, 1
      FROM of_tenant WHERE $6::int IS NOT NULL
    ON CONFLICT (user_id) ${counted('$6')}
  )
  SELECT EXISTS (SELECT FROM of_tenant) AS "mayTenant", $6::int IS NULL OR EXISTS (SELECT
    FROM of_person) AS "mayPerson"`;

const STARTED = {
  tenant: 'SELECT window_started_at AS "startedAt" FROM invitation_quotas WHERE tenant_id = $1',
  person: 'SELECT window_started_at AS "startedAt" FROM inviter_quotas WHERE user_id = $1',
};

/**
 * How many invitation mails may be sent in a day (contract section 11, Mail): by a tenant, and by a
 * person over all their tenants on the Free plan, because anybody can found and delete tenants. How
 * many depends on the tenant's plan, which billing, a module above, tells.
 */
@Injectable()
export class InvitationQuota {
  private source: LimitSource = () => Promise.resolve({ perTenant: PER_DAY, perPerson: PER_DAY });

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rateLimitMetrics: RateLimitMetrics,
    private readonly clock: Clock,
  ) {}

  /** Has `source` asked for the limits of a tenant. */
  useSource(source: LimitSource): void {
    this.source = source;
  }

  /**
   * What a tenant and who invites to it may send in a day. Ask before the transaction begins: the
   * answer may need a connection of its own.
   */
  limitOf(tenantId: string): Promise<InvitationLimit> {
    return this.source(tenantId);
  }

  /**
   * Counts one mail, in the transaction of its cause, which an Err takes back. RATE_LIMITED until
   * the day that began with the first one ends.
   */
  async take({ tenantId, userId }: TenantActor, { perTenant, perPerson }: InvitationLimit): Promise<Result> {
    const now = this.clock.now();
    const parameters = [tenantId, now, addSeconds(now, -DAY), perTenant, userId, perPerson];
    const [{ mayTenant, mayPerson }] = await this.unitOfWork.query<{ mayTenant: boolean; mayPerson: boolean }>(
      TAKE,
      parameters,
    );
    if (mayTenant && mayPerson) return ok();
    this.rateLimitMetrics.count('invitations');
    const [sql, id] = mayTenant ? [STARTED.person, userId] : [STARTED.tenant, tenantId];
    const [{ startedAt }] = await this.unitOfWork.query<{ startedAt: Date }>(sql, [id]);
    const message = mayTenant ? TOO_MANY_OF_PERSON : TOO_MANY_OF_TENANT;
    return err({
      ...PlatformFailures.rateLimited,
      message,
      retryAfter: secondsBetween(now, addSeconds(startedAt, DAY)),
    });
  }
}

const TOO_MANY_OF_TENANT =
  'This tenant has sent as many invitations as its plan allows in a day. Try again addSeconds.';
const TOO_MANY_OF_PERSON =
  'You have sent as many invitations as the Free plan allows in a day, over all your tenants. Try again addSeconds.';
