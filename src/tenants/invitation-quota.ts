import { Injectable } from '@nestjs/common';
import { Clock, DAY, later, secondsBetween } from '../platform/clock';
import { PlatformFailures } from '../platform/platform.failures';
import { err, ok, type Result } from '../platform/result';
import { UnitOfWork } from '../platform/unit-of-work';

/** Where nobody says otherwise. */
const PER_DAY = 20;

type QuotaSource = (tenantId: string) => Promise<number>;

/** The row's lock puts a tenant's invitations in order: of many at once, no more are allowed than of many one by one. */
const TAKE = `
  INSERT INTO invitation_quotas AS q (tenant_id, window_started_at, sent) VALUES ($1, $2, 1)
  ON CONFLICT (tenant_id) DO UPDATE
    SET window_started_at = CASE WHEN q.window_started_at <= $3 THEN $2 ELSE q.window_started_at END,
        sent = CASE WHEN q.window_started_at <= $3 THEN 1 ELSE q.sent + 1 END
    WHERE q.window_started_at <= $3 OR q.sent < $4
  RETURNING sent`;

/** How many invitation mails a tenant may send in a day (contract section 11, Mail). How many depends on its plan, which billing, a module above, tells. */
@Injectable()
export class InvitationQuota {
  private perDay: QuotaSource = () => Promise.resolve(PER_DAY);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Has `perDay` asked for the number of invitations that a tenant may send in a day. */
  useSource(perDay: QuotaSource): void {
    this.perDay = perDay;
  }

  /** How many a tenant may send in a day. Ask before the transaction begins: the answer may need a connection of its own. */
  limitOf(tenantId: string): Promise<number> {
    return this.perDay(tenantId);
  }

  /** Counts one mail, in the transaction of its cause. RATE_LIMITED until the day that began with the first one ends. */
  async take(tenantId: string, limit: number): Promise<Result> {
    const now = this.clock.now();
    const taken = await this.unitOfWork.query(TAKE, [tenantId, now, later(now, -DAY), limit]);
    if (taken.length === 1) return ok();
    const sql = 'SELECT window_started_at AS "startedAt" FROM invitation_quotas WHERE tenant_id = $1';
    const [{ startedAt }] = await this.unitOfWork.query<{ startedAt: Date }>(sql, [tenantId]);
    return err({ ...PlatformFailures.rateLimited, message: TOO_MANY, retryAfter: secondsBetween(now, later(startedAt, DAY)) });
  }
}

const TOO_MANY = 'This tenant has sent as many invitations as its plan allows in a day. Try again later.';
