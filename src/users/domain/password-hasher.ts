import { Injectable } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { THREADS } from '../../config/thread-pool';
import { addressKey } from '../../platform/client-address';
import { FairQueue, type Turn } from '../../platform/fair-queue';
import { PlatformFailures } from '../../platform/platform.failures';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';

/**
 * argon2id (the library's default) with 19 MiB, 2 passes, 1 lane: contract section 3, as OWASP
 * recommends.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
/** About half a second of work: who would wait longer is better told to come back. */
const WAITING_PER_CORE = 50;
const RETRY_SECONDS = 2;
const ENCODED = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=\d+\$/;

/** Of an encoded hash: $argon2id$v=19$m=…,t=…,p=…$salt$hash. */
const saltOf = (encoded: string) => Buffer.from(encoded.split('$')[4], 'base64');

/**
 * One more than there are cores, so that none idles between two hashes; at least one thread is left
 * for signatures.
 */
const AT_A_TIME = Math.max(1, Math.min(availableParallelism() + 1, THREADS - 1));

/**
 * Hashes and checks passwords on the thread pool, a few at a time, behind a bounded queue in which
 * client addresses take turns; the known devices of an account have a lane that nobody else can
 * fill (contract section 11, Guessing).
 */
@Injectable()
export class PasswordHasher {
  private readonly queue = new FairQueue(AT_A_TIME, WAITING_PER_CORE * availableParallelism());
  /** Compared with where there is no password, so that the answer takes as long. */
  private readonly nobodysHash = hash(randomBytes(16), PARAMETERS);

  /**
   * The encoded hash; UNAVAILABLE when too many are waiting.
   * @param like a hash whose salt is used again, so that one calculation compares a password with
   * both (see verifyAny)
   */
  hash(password: string, like?: string | null): Promise<Result<string>> {
    return this.enqueue(() => hash(password, like ? { ...PARAMETERS, salt: saltOf(like) } : PARAMETERS));
  }

  /**
   * Whether it is the password of one of several hashes, as far as they share their salt; takes as
   * long as for one.
   */
  verifyAny([first, ...others]: readonly string[], password: string): Promise<Result<boolean>> {
    if (others.length === 0) return this.verify(first, password);
    return this.enqueue(async () => {
      const made = Buffer.from(await hash(password, { ...PARAMETERS, salt: saltOf(first) }));
      return [first, ...others]
        .map((known) => Buffer.from(known))
        .some((known) => known.length === made.length && timingSafeEqual(known, made));
    });
  }

  /**
   * Whether it is the password; takes the same time when there is none. UNAVAILABLE when too many
   * are waiting.
   * @param knownTo the account, where it has signed in with this device before: its lane is one for
   * all its devices, of which anybody can make many
   */
  verify(passwordHash: string | null | undefined, password: string, knownTo?: string): Promise<Result<boolean>> {
    const work = async () => {
      const matches = await verify(passwordHash ?? (await this.nobodysHash), password);
      return matches && passwordHash != null;
    };
    return this.enqueue(work, knownTo === undefined ? undefined : { key: knownTo, isReserved: true });
  }

  /** Whether a hash was made with less memory or fewer passes than are asked for today. */
  isOutdated(passwordHash: string): boolean {
    const [, memory, passes] = ENCODED.exec(passwordHash) ?? [];
    return Number(memory ?? 0) < PARAMETERS.memoryCost || Number(passes ?? 0) < PARAMETERS.timeCost;
  }

  private async enqueue<T>(
    work: () => Promise<T>,
    turn: Turn = { key: addressKey(currentContext().ip) },
  ): Promise<Result<T>> {
    const outcome = await this.queue.run(turn, async () => ok(await work()));
    return outcome ?? err({ ...PlatformFailures.unavailable, retryAfter: RETRY_SECONDS });
  }
}
