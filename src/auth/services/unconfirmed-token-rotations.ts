import { Injectable } from '@nestjs/common';
import { DAY } from '../../platform/clock';
import { mayBeCommitted, OutcomeUnknown } from '../../platform/database/database-errors';
import { Redis } from '../../platform/redis';
import type { RefreshTokenRef } from '../domain/refresh-token-text';

/** About 3 MB. The oldest entries are dropped first. */
const MAX_ENTRIES = 10_000;
/** Newest successors of one token: one for each retry of the client during an outage. */
const MAX_SUCCESSORS = 20;
const KEY = 'tenantry:unanswered-rotation:';

/** Whether another instance has replaced a token without confirmation is not known. */
export class SuccessorsNotRead extends Error {}

/**
 * Remembers rotations of refresh tokens for which PostgreSQL sent no response. The statement may
 * have committed, so that the client still has the old token, and never received its successor. The
 * old token is then accepted in place of the successor. Each retry of the client can add another
 * successor, one of which was stored. Only ids and hashes are kept, in this process and in Redis if
 * it is configured.
 */
@Injectable()
export class UnconfirmedTokenRotations {
  private readonly successors = new Map<string, string[]>();

  constructor(private readonly redis: Redis) {}

  /** Runs `rotate`, and remembers the successor if the response is lost. */
  async watch<T>(spent: RefreshTokenRef, successor: RefreshTokenRef, rotate: () => Promise<T>): Promise<T> {
    try {
      return await rotate();
    } catch (error) {
      if (mayBeCommitted(error)) this.remember(textOf(spent), textOf(successor));
      throw OutcomeUnknown.of(error);
    }
  }

  /**
   * The tokens that may have replaced this one without confirmation: first those that this process
   * knows, then those of the other instances.
   * @throws SuccessorsNotRead if Redis does not tell
   */
  async *successorsOf(spent: RefreshTokenRef): AsyncGenerator<RefreshTokenRef> {
    const key = textOf(spent);
    const known = this.successors.get(key) ?? [];
    yield* known.map(refOf);
    const { client } = this.redis;
    if (!client) return;
    const shared = await this.redis
      .ask(() => client.lRange(KEY + key, 0, -1))
      .catch((error: unknown) => {
        throw new SuccessorsNotRead('Redis did not tell what may have replaced a refresh token.', { cause: error });
      });
    yield* shared.filter((text) => !known.includes(text)).map(refOf);
  }

  private remember(key: string, successor: string): void {
    const known = this.successors.get(key) ?? [];
    if (this.successors.size >= MAX_ENTRIES) this.successors.delete(this.successors.keys().next().value!);
    this.successors.set(key, [...known, successor].slice(-MAX_SUCCESSORS));
    const { client } = this.redis;
    if (!client) return;
    const share = () =>
      client
        .multi()
        .rPush(KEY + key, successor)
        .lTrim(KEY + key, -MAX_SUCCESSORS, -1)
        .expire(KEY + key, DAY)
        .exec();
    this.redis.ask(share).catch(() => undefined);
  }
}

const textOf = ({ id, secretHash }: RefreshTokenRef) => `${id} ${secretHash.toString('base64')}`;

const refOf = (text: string): RefreshTokenRef => {
  const [id, hash] = text.split(' ');
  return { id, secretHash: Buffer.from(hash, 'base64') };
};
