import { Inject, Injectable } from '@nestjs/common';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Cooldowns } from '../../http/rate-limits/cooldowns';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { RateLimitStores } from '../../http/rate-limits/rate-limit-stores';
import { addressKey, networksAround, type Network } from '../../platform/client-address';
import { HOUR, MINUTE } from '../../platform/clock';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { AuthFailures } from '../auth.failures';
import { FailureLimit, type Admission, type Slot } from './failure-limit';
import { LoginAttempt, type Outcomes } from './login-attempt';

const SOURCE_SECONDS = 15 * MINUTE;
/** Accounts that may be tried from one address within the window. Networks around it have more. */
const MAX_ACCOUNTS_PER_ADDRESS = 20;
const ACCOUNTS_PER_ADDRESS_SECONDS = 10 * MINUTE;
/** Failures of one account, over all addresses, after which unknown devices have to wait. */
const MAX_FAILURES_PER_ACCOUNT = 50;
const FAILURES_PER_ACCOUNT_SECONDS = HOUR;
const MAX_PAUSE_SECONDS = 15 * MINUTE;

/**
 * Limits password guessing (docs/contract.md, Sign-in limits). A known device has a counter of its
 * own, so that guesses from elsewhere never make it wait. Other devices share LOGIN_MAX_FAILURES
 * with their address, and also wait when too many accounts were tried from the address or a network
 * around it, or the account failed too often from anywhere. If the counter store is unreachable, no
 * attempt is refused.
 */
@Injectable()
export class LoginLimits {
  private readonly bySource: FailureLimit;
  /** By the number of clients that a network counts as. */
  private readonly byNetwork = new Map<number, FailureLimit>();
  private readonly accounts: Store;
  private readonly triedAccounts: Store;
  private readonly byAccount: Store;
  private readonly accountPauses: Cooldowns;

  constructor(
    stores: RateLimitStores,
    private readonly rateLimitMetrics: RateLimitMetrics,
    @Inject(SETTINGS) settings: Settings,
    private readonly log: Log,
  ) {
    this.bySource = new FailureLimit(
      stores.create('login-failures', SOURCE_SECONDS * 1000),
      SOURCE_SECONDS,
      settings.loginMaxFailures,
    );
    this.accounts = stores.create('login-accounts', ACCOUNTS_PER_ADDRESS_SECONDS * 1000);
    this.triedAccounts = stores.create('login-account-tried', ACCOUNTS_PER_ADDRESS_SECONDS * 1000);
    this.byAccount = stores.create('login-account-failures', FAILURES_PER_ACCOUNT_SECONDS * 1000);
    this.accountPauses = stores.createCooldowns('login-pause');
  }

  /**
   * Counts an attempt of the running request.
   * @param deviceId the device, if the account has signed in with it before
   * @returns TOO_MANY_ATTEMPTS with the seconds to wait
   */
  async begin(email: string, deviceId: string | undefined): Promise<Result<LoginAttempt, 'TOO_MANY_ATTEMPTS'>> {
    const attempt = new LoginAttempt();
    try {
      const retryAfter = await this.count(attempt, email, deviceId);
      if (retryAfter === 0) return ok(attempt);
      await attempt.cancel();
      return err({ ...AuthFailures.tooManyAttempts, retryAfter: Math.ceil(retryAfter) });
    } catch (error) {
      this.log.warn({ event: 'login_attempts.not_counted', err: error }, 'A failed sign-in could not be counted');
      return ok(attempt);
    }
  }

  /** Each of the methods below returns the seconds to wait; 0 if the attempt is admitted. */
  private async count(attempt: LoginAttempt, email: string, deviceId: string | undefined): Promise<number> {
    const account = keyOf(email);
    const address = addressKey(currentContext().ip);
    const sourceWait = await this.countSource(attempt, keyOf(`${email} ${deviceId ?? address}`));
    if (sourceWait > 0 || deviceId !== undefined) return sourceWait;
    return (await this.countNetworks(attempt, account)) || this.countAccount(attempt, account);
  }

  private async countSource(attempt: LoginAttempt, key: string): Promise<number> {
    return this.admit(attempt, await this.bySource.enter(key), 'login-source', (slot) => ({
      succeeded: () => slot.reset(),
      failed: () => slot.keep(),
      canceled: () => slot.cancel(),
    }));
  }

  private async countNetworks(attempt: LoginAttempt, account: string): Promise<number> {
    for (const network of networksAround(currentContext().ip)) {
      const wait = await this.countNetwork(attempt, network, account);
      if (wait > 0) return wait;
    }
    return 0;
  }

  /** Counts an account only once per network and window. */
  private async countNetwork(attempt: LoginAttempt, { key, clients }: Network, account: string): Promise<number> {
    const limit = this.limitOf(clients);
    const tried = `${key} ${account}`;
    const { totalHits } = await this.triedAccounts.increment(tried);
    if (totalHits > 1) {
      const wait = await limit.secondsToWait(key);
      if (wait > 0) this.rateLimitMetrics.count('login-spray');
      return wait;
    }
    const forget = async (slot?: Slot) => {
      await slot?.cancel();
      await ignoreOutage(this.triedAccounts.resetKey(tried));
    };
    const admission = await limit.enter(key);
    if ('retryAfter' in admission) await forget();
    return this.admit(attempt, admission, 'login-spray', (slot) => ({
      succeeded: () => forget(slot),
      failed: () => slot.keep(),
      canceled: () => forget(slot),
    }));
  }

  /** The limit of accounts of a network. */
  private limitOf(clients: number): FailureLimit {
    const known = this.byNetwork.get(clients);
    if (known) return known;
    const limit = new FailureLimit(this.accounts, ACCOUNTS_PER_ADDRESS_SECONDS, MAX_ACCOUNTS_PER_ADDRESS * clients);
    this.byNetwork.set(clients, limit);
    return limit;
  }

  /**
   * Above the limit one attempt per pause is admitted, and each pause is twice the previous one.
   */
  private async countAccount(attempt: LoginAttempt, account: string): Promise<number> {
    const { totalHits } = await this.byAccount.increment(account);
    const uncount = () => ignoreOutage(this.byAccount.decrement(account));
    attempt.add({ succeeded: uncount, failed: () => Promise.resolve(), canceled: uncount });
    if (totalHits <= MAX_FAILURES_PER_ACCOUNT) return 0;
    const pause = Math.min(2 ** (totalHits - MAX_FAILURES_PER_ACCOUNT - 1), MAX_PAUSE_SECONDS);
    const wait = await this.accountPauses.begin(account, pause);
    if (wait > 0) this.rateLimitMetrics.count('login-account');
    return wait;
  }

  private admit(
    attempt: LoginAttempt,
    admission: Admission,
    kind: 'login-source' | 'login-spray',
    outcomesOf: (slot: Slot) => Outcomes,
  ): number {
    if ('slot' in admission) {
      attempt.add(outcomesOf(admission.slot));
      return 0;
    }
    this.rateLimitMetrics.count(kind);
    return admission.retryAfter;
  }
}

/** Email addresses are stored as digests only. */
const keyOf = (text: string) => digestOf(text).toString('base64url');

async function ignoreOutage(change: Promise<void> | void): Promise<void> {
  try {
    await change;
  } catch {
    // the counter store is unreachable, which begin() has logged
  }
}
