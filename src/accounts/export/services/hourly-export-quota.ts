import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { AuditEntry } from '../../../audit/audit.api';
import { addSeconds, Clock, HOUR, secondsBetween } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { firstIdAt } from '../../../platform/ids';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { AccountDataExported } from '../../accounts.events';

/** Exports of a user within an hour. */
const PER_HOUR = 3;

/** Limits how often users export their data: an export reads a lot. The audit log counts them. */
@Injectable()
export class HourlyExportQuota {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** RATE_LIMITED after three within an hour. Across tenants, with the lock of the account. */
  async check(userId: string): Promise<Result<void, 'RATE_LIMITED'>> {
    const now = this.clock.now();
    const id = MoreThanOrEqual(firstIdAt(addSeconds(now, -HOUR)));
    const { action } = AccountDataExported;
    const exports = await this.unitOfWork.manager.find(AuditEntry, {
      select: { id: true, at: true },
      where: { actorId: userId, action, id },
      order: { id: 'ASC' },
      take: PER_HOUR,
    });
    if (exports.length < PER_HOUR) return ok();
    const retryAfter = secondsBetween(now, addSeconds(exports[0].at, HOUR));
    return err({ ...PlatformFailures.rateLimited, message: TOO_MANY, retryAfter });
  }
}

const TOO_MANY = 'You have exported your data several times within an hour. Try again later.';
