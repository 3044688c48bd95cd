import { Injectable } from '@nestjs/common';
import { addSeconds, Clock, DAY } from '../../platform/clock';

/** The days for which the members of a tenant can read its audit log. */
type RetentionSource = (tenantId: string) => Promise<number>;

/**
 * How far back the members of a tenant read its audit log (docs/contract.md, Audit log). It depends
 * on what the tenant may do, which the billing module above provides. The entries stay: operators
 * see them, and so do the members once they may read more days.
 */
@Injectable()
export class AuditRetention {
  private source: RetentionSource = () => Promise.resolve(Infinity);

  constructor(private readonly clock: Clock) {}

  /** Sets the source of the days. */
  useSource(source: RetentionSource): void {
    this.source = source;
  }

  /** The time before which the members of a tenant read nothing. */
  async startOf(tenantId: string): Promise<Date> {
    const days = Math.min(await this.source(tenantId), MOST_DAYS);
    return new Date(Math.max(addSeconds(this.clock.now(), -days * DAY).getTime(), 0));
  }
}

/** Before the times of all ids. */
const MOST_DAYS = 100 * 365;
