import { Injectable } from '@nestjs/common';
import { Clock, later } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/unit-of-work';
import { OneTimeToken, PURPOSES, type Purpose } from '../domain/one-time-token';

/** Mailed one-time tokens; only their SHA-256 is stored. */
@Injectable()
export class OneTimeTokenRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A new token for this person and purpose; it replaces the one before. */
  async issue(userId: string, purpose: Purpose): Promise<string> {
    const token = newSecretToken();
    const expiresAt = later(this.clock.now(), PURPOSES[purpose].seconds);
    await this.unitOfWork.manager.upsert(OneTimeToken, { userId, purpose, tokenHash: digestOf(token), expiresAt }, ['userId', 'purpose']);
    return token;
  }

  /** Uses a token up: of two at once, one succeeds. The id of its owner, or the purpose's INVALID or EXPIRED. */
  async consume(purpose: Purpose, token: string): Promise<Result<string>> {
    const [used] = await this.unitOfWork.query<{ userId: string }>(
      'DELETE FROM one_time_tokens WHERE purpose = $1 AND token_hash = $2 AND expires_at > $3 RETURNING user_id AS "userId"',
      [purpose, digestOf(token), this.clock.now()],
    );
    if (used) return ok(used.userId);
    const seen = await this.peek(purpose, token);
    return seen.ok ? err(PURPOSES[purpose].invalid) : seen;
  }

  /** Whose token it is, without using it up. */
  async peek(purpose: Purpose, token: string): Promise<Result<string>> {
    const found = await this.unitOfWork.manager.findOneBy(OneTimeToken, { purpose, tokenHash: digestOf(token) });
    if (!found) return err(PURPOSES[purpose].invalid);
    return found.expiresAt > this.clock.now() ? ok(found.userId) : err(PURPOSES[purpose].expired);
  }

  /** Takes back the token of the person with this address, if there is one. */
  async withdraw(email: string, purpose: Purpose): Promise<void> {
    await this.unitOfWork.query('DELETE FROM one_time_tokens t USING users u WHERE u.email = $1 AND t.user_id = u.id AND t.purpose = $2', [
      email,
      purpose,
    ]);
  }
}
