import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import { Clock } from '../../platform/clock';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { PasskeyChallenge } from '../domain/passkey-challenge';

/** Challenges that authenticators have not signed yet. */
@Injectable()
export class PasskeyChallengeRepository extends EntityRepository<PasskeyChallenge> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(PasskeyChallenge, unitOfWork);
  }

  /** A challenge for a new passkey of a user, which replaces an earlier one. @returns its text */
  async issueFor(userId: string): Promise<string> {
    await this.rows.delete({ userId });
    return this.issue(userId);
  }

  /** A challenge for anyone's assertion. @returns its text */
  issueForAnyone(): Promise<string> {
    return this.issue(null);
  }

  /**
   * Uses a challenge up, for a new passkey of a user.
   * @returns false if it has expired or was used; of concurrent uses, one succeeds
   */
  useFor(userId: string, challenge: string): Promise<boolean> {
    return this.use(challenge, { purpose: 'registration', userId });
  }

  /** The same for anyone's assertion. */
  useForAnyone(challenge: string): Promise<boolean> {
    return this.use(challenge, { purpose: 'assertion', userId: IsNull() });
  }

  /** Deletes the challenges that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }

  private async issue(userId: string | null): Promise<string> {
    const challenge = newSecretToken();
    await this.insert(PasskeyChallenge.issue(challenge, userId, this.clock.now()));
    return challenge;
  }

  private async use(challenge: string, issued: FindOptionsWhere<PasskeyChallenge>): Promise<boolean> {
    const isOpen = { ...issued, hash: digestOf(challenge), expiresAt: MoreThan(this.clock.now()) };
    return (await this.deleteBy(isOpen)).length === 1;
  }
}
