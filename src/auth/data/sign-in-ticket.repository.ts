import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { MAX_TICKET_ATTEMPTS, SignInTicket, type NewTicket } from '../domain/sign-in-ticket';

/**
 * Open tickets of a user in known browsers, and as many in others; another one displaces the oldest
 * of its kind. Somebody else who knows the password displaces none of a browser of the owner.
 */
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
  async issue(ticket: NewTicket): Promise<string> {
    const token = newSecretToken();
    const now = this.clock.now();
    const displaced = await this.rows.find({
      select: { tokenHash: true },
      where: { userId: ticket.userId, isKnownBrowser: ticket.browser.isKnown },
      order: { expiresAt: 'DESC' },
      skip: MAX_OPEN - 1,
    });
    if (displaced.length > 0) await this.rows.delete({ tokenHash: In(displaced.map(({ tokenHash }) => tokenHash)) });
    await this.insertAllLater([SignInTicket.issue(token, ticket, now)]);
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
   * Uses a ticket up, and with it those that the same browser has left open.
   * @returns false if it was used before; of two concurrent uses, one succeeds
   */
  async use({ tokenHash, userId, ip, userAgent }: SignInTicket): Promise<boolean> {
    const sameBrowser = { userId, ip: ip ?? IsNull(), userAgent: userAgent ?? IsNull() };
    const used = await this.deleteBy([{ tokenHash }, sameBrowser]);
    return used.some((ticket) => ticket.tokenHash.equals(tokenHash));
  }

  /** Deletes the tickets of a user that have expired. @returns them, the latest first */
  async takeExpired(userId: string): Promise<SignInTicket[]> {
    const expired = await this.deleteBy({ userId, expiresAt: LessThanOrEqual(this.clock.now()) });
    return expired.toSorted((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime());
  }

  /** Whether a user has tickets. */
  existsFor(userId: string): Promise<boolean> {
    return this.rows.existsBy({ userId });
  }

  /** Deletes the tickets that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
