import { Inject, Injectable } from '@nestjs/common';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import { RateLimitStores } from '../../http/rate-limits/rate-limit-stores';
import type { Cooldowns } from '../../http/rate-limits/cooldowns';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { addressKey } from '../../platform/client-address';
import { HOUR, MINUTE } from '../../platform/clock';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { AuthFailures } from '../auth.failures';
import { FailureLimit, type Entry, type Place } from './failure-limit';

const SOURCE_SECONDS = 15 * MINUTE;
/** So many accounts may fail from one address in these seconds. */
const ACCOUNTS = 20;
const ACCOUNTS_SECONDS = 10 * MINUTE;
/** So many failures of one account, over all addresses, before unknown devices wait. */
const ACCOUNT_FAILURES = 50;
const ACCOUNT_SECONDS = HOUR;
const LONGEST_PAUSE = 15 * MINUTE;

/**
 * Limits guessing (contract section 11). A known device is counted by itself: nobody who guesses
 * from elsewhere makes it wait. Any other one shares LOGIN_MAX_FAILURES with its address, waits
 * when too many accounts failed from there, and when the account failed too often from anywhere. A
 * counter out of reach refuses nobody.
 */
@Injectable()
export class LoginAttempts {
  private readonly bySource: FailureLimit;
  private readonly byAddress: FailureLimit;
  private readonly triedBefore: Store;
  private readonly byAccount: Store;
  private readonly cooldowns: Cooldowns;

  constructor(
    counters: RateLimitStores,
    private readonly rateLimitMetrics: RateLimitMetrics,
    @Inject(SETTINGS) settings: Settings,
    private readonly log: Log,
  ) {
    this.bySource = new FailureLimit(
      counters.create('login-failures', SOURCE_SECONDS * 1000),
      SOURCE_SECONDS,
      settings.loginMaxFailures,
    );
    this.byAddress = new FailureLimit(
      counters.create('login-accounts', ACCOUNTS_SECONDS * 1000),
      ACCOUNTS_SECONDS,
      ACCOUNTS,
    );
    this.triedBefore = counters.create('login-account-tried', ACCOUNTS_SECONDS * 1000);
    this.byAccount = counters.create('login-account-failures', ACCOUNT_SECONDS * 1000);
    this.cooldowns = counters.createCooldowns('login-pause');
  }

  /**
   * Counts an attempt from the running request; TOO_MANY_ATTEMPTS with the time to wait.
   * @param deviceId where the account has signed in with this device before
   */
  async begin(email: string, deviceId: string | undefined): Promise<Result<Attempt>> {
    const attempt = new Attempt();
    try {
      const account = keyOf(email);
      const address = addressKey(currentContext().ip);
      const refused =
        (await this.enterSource(attempt, keyOf(`${email} ${deviceId ?? address}`))) ||
        (deviceId === undefined &&
          ((await this.enterAddress(attempt, address, account)) || (await this.enterAccount(attempt, account))));
      if (!refused) return ok(attempt);
      await attempt.withdrawn();
      return err({ ...AuthFailures.tooManyAttempts, retryAfter: Math.ceil(refused) });
    } catch (error) {
      this.log.warn({ err: error }, 'login failures are not counted');
      return ok(attempt);
    }
  }

  /** @returns how many seconds must pass; 0: none */
  private async enterSource(attempt: Attempt, key: string): Promise<number> {
    return this.take(attempt, await this.bySource.enter(key), 'login-source', (place) => ({
      right: () => place.forgive(),
      wrong: () => place.keep(),
      neither: () => place.withdraw(),
    }));
  }

  private async enterAddress(attempt: Attempt, address: string, account: string): Promise<number> {
    const tried = `${address} ${account}`;
    const { totalHits } = await this.triedBefore.increment(tried);
    if (totalHits > 1) {
      const wait = await this.byAddress.wait(address);
      if (wait > 0) this.rateLimitMetrics.count('login-spray');
      return wait;
    }
    const forget = async (place?: Place) => {
      await place?.withdraw();
      await ignoringOutage(this.triedBefore.resetKey(tried));
    };
    const entry = await this.byAddress.enter(address);
    if ('retryAfter' in entry) await forget();
    return this.take(attempt, entry, 'login-spray', (place) => ({
      right: () => forget(place),
      wrong: () => place.keep(),
      neither: () => forget(place),
    }));
  }

  /**
   * Beyond the limit one attempt is let through per pause, and each pause is twice as long as the
   * one before.
   */
  private async enterAccount(attempt: Attempt, account: string): Promise<number> {
    const { totalHits } = await this.byAccount.increment(account);
    const withdraw = () => ignoringOutage(this.byAccount.decrement(account));
    attempt.add({ right: withdraw, wrong: () => Promise.resolve(), neither: withdraw });
    if (totalHits <= ACCOUNT_FAILURES) return 0;
    const left = await this.cooldowns.begin(account, Math.min(2 ** (totalHits - ACCOUNT_FAILURES - 1), LONGEST_PAUSE));
    if (left > 0) this.rateLimitMetrics.count('login-account');
    return left;
  }

  private take(
    attempt: Attempt,
    entry: Entry,
    kind: 'login-source' | 'login-spray',
    outcomes: (place: Place) => Outcomes,
  ): number {
    if ('place' in entry) {
      attempt.add(outcomes(entry.place));
      return 0;
    }
    this.rateLimitMetrics.count(kind);
    return entry.retryAfter;
  }
}

type Settle = () => Promise<void>;

/** What each outcome does to a counter. */
interface Outcomes {
  readonly right: Settle;
  readonly wrong: Settle;
  readonly neither: Settle;
}

/** One counted attempt; exactly one of its outcomes is told. */
export class Attempt {
  private readonly counted: Outcomes[] = [];

  add(outcomes: Outcomes): void {
    this.counted.push(outcomes);
  }

  /**
   * The password was right: this attempt does not count, and earlier failures from here are
   * forgotten.
   */
  succeeded(): Promise<void> {
    return this.settle('right');
  }

  /** The password was wrong: it counts. */
  failed(): Promise<void> {
    return this.settle('wrong');
  }

  /** The password was not looked at: this attempt does not count. */
  withdrawn(): Promise<void> {
    return this.settle('neither');
  }

  private async settle(outcome: keyof Outcomes): Promise<void> {
    await Promise.all(this.counted.map((outcomes) => outcomes[outcome]()));
  }
}

/** Addresses of people are not kept as they are. */
const keyOf = (text: string) => digestOf(text).toString('base64url');

async function ignoringOutage(change: Promise<void> | void): Promise<void> {
  try {
    await change;
  } catch {
    // the counter is out of reach, which begin() has reported
  }
}
