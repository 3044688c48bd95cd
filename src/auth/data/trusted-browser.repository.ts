import { Injectable } from '@nestjs/common';
import { In, MoreThan, Not } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TrustedBrowser } from '../domain/trusted-browser';

/** Trusted browsers of a user; another one displaces the oldest. */
const MAX_BROWSERS = 20;

/** The browsers in which users sign in without the second factor. */
@Injectable()
export class TrustedBrowserRepository extends EntityRepository<TrustedBrowser> {
  constructor(unitOfWork: UnitOfWork) {
    super(TrustedBrowser, unitOfWork);
  }

  /** Trusts a browser, or trusts it again; inside a transaction, which has locked the account. */
  async trust(browser: TrustedBrowser): Promise<void> {
    const { userId, deviceId } = browser;
    await this.rows.delete({ userId, deviceId });
    const displaced = await this.rows.find({
      select: { id: true },
      where: { userId },
      order: { id: 'DESC' },
      skip: MAX_BROWSERS - 1,
    });
    if (displaced.length > 0) await this.rows.delete({ id: In(displaced.map(({ id }) => id)) });
    await this.insert(browser);
  }

  isTrusted(userId: string, deviceId: string, now: Date): Promise<boolean> {
    return this.rows.existsBy({ userId, deviceId, expiresAt: MoreThan(now) });
  }

  /** @returns false if the user trusts no such browser */
  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.rows.delete({ userId, id })).affected === 1;
  }

  /** Stops trusting all browsers of a user, except for one. */
  async removeAll(userId: string, exceptDeviceId?: string): Promise<void> {
    await this.rows.delete({ userId, ...(exceptDeviceId && { deviceId: Not(exceptDeviceId) }) });
  }

  /** Deletes the browsers whose trust ended until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
