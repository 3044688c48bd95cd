import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import type { SignIn } from '../domain/session';
import { MAX_TICKET_ATTEMPTS, SignInTicket } from '../domain/sign-in-ticket';

/** Open tickets of a user; another one displaces the oldest. */
const MAX_OPEN = 30;

/** Sign-ins that wait for the second factor. */
@Injectable()
export class SignInTicketRepository extends EntityRepository<SignInTicket> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(SignInTicket, unitOfWork);
  }

  /** Issues a ticket; inside a transaction, which has locked the account. @returns its text */
  async issue(userId: string, signIn: SignIn, tenantId: string | undefined): Promise<string> {
    const token = newSecretToken();
    const now = this.clock.now();
    const displaced = await this.rows.find({
      select: { tokenHash: true },
      where: { userId },
      order: { expiresAt: 'DESC' },
      skip: MAX_OPEN - 1,
    });
    if (displaced.length > 0) await this.rows.delete({ tokenHash: In(displaced.map(({ tokenHash }) => tokenHash)) });
    await this.insertAllLater([SignInTicket.issue(token, userId, signIn, tenantId, now)]);
    return token;
  }

  /**
   * Counts an attempt with a ticket, before the factor is verified.
   * @returns undefined if it is unknown, has expired, or was tried too often
   */
  async countAttempt(token: string): Promise<SignInTicket | undefined> {
    const isOpen = {
      tokenHash: digestOf(token),
      attempts: LessThan(MAX_TICKET_ATTEMPTS),
      expiresAt: MoreThan(this.clock.now()),
    };
    return (await this.updateBy(isOpen, { attempts: () => 'attempts + 1' }))[0];
  }

  /**
   * Uses a ticket up.
   * @returns false if it was used before; of two concurrent uses, one succeeds
   */
  async use({ tokenHash }: SignInTicket): Promise<boolean> {
    return (await this.deleteBy({ tokenHash })).length === 1;
  }

  /** Deletes the tickets that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
