import { Inject, Injectable } from '@nestjs/common';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../config/settings';
import { HitCounters } from '../edge/hit-counter';
import { addressKey } from '../edge/rate-limit';
import { MINUTE, secondsUntil } from '../platform/clock';
import { Log } from '../platform/log';
import { requestContext } from '../platform/request-context';
import { err, ok, type Result } from '../platform/result';
import { digestOf } from '../platform/secret-token';
import { AuthFailures } from './auth.failures';

const WINDOW_SECONDS = 15 * MINUTE;

/**
 * Limits guessing: LOGIN_MAX_FAILURES failed passwords per account and client address in 15 minutes. An attempt is counted before the password
 * is looked at and forgiven afterwards, so that many guesses at once are not more than many one by one.
 */
@Injectable()
export class LoginAttempts {
  private readonly store: Store;

  constructor(
    counters: HitCounters,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: Log,
  ) {
    this.store = counters.create('login-failures', WINDOW_SECONDS * 1000);
  }

  /** Counts an attempt from the running request; TOO_MANY_ATTEMPTS until the window ends. A counter out of reach refuses nobody. */
  async begin(email: string): Promise<Result<Attempt>> {
    const key = digestOf(`${email} ${addressKey(requestContext()?.ip)}`).toString('base64url');
    try {
      const { totalHits, resetTime } = await this.store.increment(key);
      if (totalHits > this.settings.loginMaxFailures)
        return err({ ...AuthFailures.tooManyAttempts, retryAfter: secondsUntil(resetTime, WINDOW_SECONDS) });
    } catch (error) {
      this.log.warn({ err: error }, 'login failures are not counted');
    }
    return ok(new Attempt(this.store, key));
  }
}

/** One counted attempt. Left alone it stays a failure. */
export class Attempt {
  constructor(
    private readonly store: Store,
    private readonly key: string,
  ) {}

  /** The password was right: earlier failures are forgotten too. */
  async succeeded(): Promise<void> {
    await ignoringOutage(this.store.resetKey(this.key));
  }

  /** The password was not looked at: this attempt does not count. */
  async withdrawn(): Promise<void> {
    await ignoringOutage(this.store.decrement(this.key));
  }
}

async function ignoringOutage(change: Promise<void> | void): Promise<void> {
  try {
    await change;
  } catch {
    // the counter is out of reach, which begin() has reported
  }
}
