import { Injectable } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { THREADS } from '../../config/thread-pool';
import { addressKey, widestNetwork } from '../../platform/client-address';
import { FairQueue, type Turn } from '../../platform/fair-queue';
import { PlatformFailures } from '../../platform/platform.failures';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';

/** argon2id (the default of the library), as recommended by OWASP (docs/contract.md, Passwords). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
/** About half a second of work. Longer queues are refused with a retry time. */
const MAX_QUEUED_PER_CORE = 50;
const RETRY_SECONDS = 2;
const ENCODED = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=\d+\$/;

/**
 * The form of a password that is hashed (RFC 8265, OpaqueString): NFC, and every space the same, so
 * that it is the same on all keyboards.
 */
const normalized = (password: string) => password.normalize('NFC').replace(/\p{Zs}/gu, ' ');

/**
 * The forms of a password of which a hash may be: earlier hashes are of what was typed. Only one
 * for a password in ASCII, and for any other that is normalized as typed.
 */
const formsOf = (password: string) => [...new Set([normalized(password), password])];

/** The salt of an encoded hash: $argon2id$v=19$m=…,t=…,p=…$salt$hash. */
const saltOf = (encoded: string) => Buffer.from(encoded.split('$')[4], 'base64');

/**
 * Whether a form of a password matches. A wrong password is tried in all forms, with and without an
 * account.
 */
async function anyForm(password: string, matches: (form: string) => Promise<boolean>): Promise<boolean> {
  for (const form of formsOf(password)) if (await matches(form)) return true;
  return false;
}

/** One more than the cores, so that none is idle; at least one thread is left for signatures. */
const CONCURRENCY = Math.max(1, Math.min(availableParallelism() + 1, THREADS - 1));

/** Networks take turns, and addresses within them. */
function turnOfClient(): Turn {
  const { ip } = currentContext();
  return { key: widestNetwork(ip), within: addressKey(ip) };
}

/**
 * Hashes and verifies passwords on the thread pool, behind a bounded queue that is fair between
 * client addresses. The known devices of an account have a reserved lane, which others cannot fill
 * (docs/contract.md, Passwords).
 */
@Injectable()
export class PasswordHasher {
  private readonly queue = new FairQueue(CONCURRENCY, MAX_QUEUED_PER_CORE * availableParallelism());
  /** Verified if there is no password, so that the response takes as long. */
  private readonly dummyHash = hash(randomBytes(16), PARAMETERS);

  /**
   * The encoded hash; UNAVAILABLE if the queue is full.
   * @param sharedSaltHash a hash whose salt is reused, so that `verifyAny` compares a password with
   * both in one computation
   */
  hash(password: string, sharedSaltHash?: string | null): Promise<Result<string, 'UNAVAILABLE'>> {
    return this.enqueue(() =>
      hash(normalized(password), sharedSaltHash ? { ...PARAMETERS, salt: saltOf(sharedSaltHash) } : PARAMETERS),
    );
  }

  /** Whether the password matches one of several hashes that share a salt, in the time of one. */
  verifyAny([first, ...others]: readonly string[], password: string): Promise<Result<boolean, 'UNAVAILABLE'>> {
    if (others.length === 0) return this.verify(first, password);
    return this.enqueue(async () => {
      return anyForm(password, async (form) => {
        const computed = Buffer.from(await hash(form, { ...PARAMETERS, salt: saltOf(first) }));
        return [first, ...others]
          .map((known) => Buffer.from(known))
          .some((known) => known.length === computed.length && timingSafeEqual(known, computed));
      });
    });
  }

  /**
   * Whether the password matches; takes the same time without a hash. UNAVAILABLE if the queue is
   * full.
   * @param knownTo the account, if it has signed in with this device before. All its devices share
   * one lane, because anybody can create many devices.
   */
  verify(
    passwordHash: string | null | undefined,
    password: string,
    knownTo?: string,
  ): Promise<Result<boolean, 'UNAVAILABLE'>> {
    const work = async () => {
      const encoded = passwordHash ?? (await this.dummyHash);
      const matches = await anyForm(password, (form) => verify(encoded, form));
      return matches && passwordHash != null;
    };
    return this.enqueue(work, knownTo === undefined ? undefined : { key: knownTo, isReserved: true });
  }

  /** Whether a hash was created with less memory or fewer passes than the current parameters. */
  isOutdated(passwordHash: string): boolean {
    const [, memory, passes] = ENCODED.exec(passwordHash) ?? [];
    return Number(memory ?? 0) < PARAMETERS.memoryCost || Number(passes ?? 0) < PARAMETERS.timeCost;
  }

  private async enqueue<T>(work: () => Promise<T>, turn: Turn = turnOfClient()): Promise<Result<T, 'UNAVAILABLE'>> {
    const outcome = await this.queue.run(turn, async () => ok(await work()));
    return outcome ?? err({ ...PlatformFailures.unavailable, retryAfter: RETRY_SECONDS });
  }
}
