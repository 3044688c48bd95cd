import { Inject, Injectable } from '@nestjs/common';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, DAY, MINUTE } from '../../platform/clock';
import { Log } from '../../platform/observability/log';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { KeyFailures } from '../keys.failures';

const FRESH_MS = DAY * 1000;
/** How old keys may become while GitHub does not answer: it may have withdrawn one meanwhile. */
const USABLE_MS = 2 * DAY * 1000;
/** Between two attempts to read the keys after an error. */
const BETWEEN_ATTEMPTS_MS = MINUTE * 1000;
/**
 * Between two readings for ids that are unknown. Anybody can send one, and GitHub answers 60
 * requests an hour of an address.
 */
const BETWEEN_READINGS_MS = 10 * MINUTE * 1000;
const TIMEOUT_MS = 5000;
const MAX_KEYS = 50;

/** The public keys as GitHub lists them. */
interface KeyList {
  readonly public_keys: readonly { readonly key_identifier: string; readonly key: string }[];
}

/**
 * The public keys with which GitHub signs its reports. They are read when a report arrives: every
 * ten minutes for unknown ids, and once a day while the ids are known. Keys of the last reading are
 * kept for another day while GitHub does not answer.
 */
@Injectable()
export class LeakReportKeys {
  private known?: { readonly keys: ReadonlyMap<string, KeyObject>; readonly readAt: number };
  private attemptedAt = -Infinity;
  private reading?: Promise<void>;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The key with an id. INVALID_SIGNATURE if there is none, UNAVAILABLE without recent keys. */
  async find(id: string): Promise<Result<KeyObject, 'INVALID_SIGNATURE' | 'UNAVAILABLE'>> {
    const now = this.clock.now().getTime();
    const isKnown = this.known?.keys.has(id) === true && now - this.known.readAt < FRESH_MS;
    const isRead = this.known !== undefined && now - this.known.readAt < BETWEEN_READINGS_MS;
    if (!isKnown && !isRead && now - this.attemptedAt >= BETWEEN_ATTEMPTS_MS) {
      this.attemptedAt = now;
      this.reading = this.read(now);
    }
    if (!isKnown) await this.reading;
    if (!this.known || now - this.known.readAt >= USABLE_MS) return err(PlatformFailures.unavailable);
    const key = this.known.keys.get(id);
    return key ? ok(key) : err(KeyFailures.invalidSignature);
  }

  private async read(now: number): Promise<void> {
    try {
      const response = await fetch(this.settings.githubLeakKeysUrl!, {
        headers: { Accept: 'application/json', 'User-Agent': 'tenantry' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`The public keys of GitHub were answered with ${response.status}.`);
      const { public_keys: listed } = (await response.json()) as KeyList;
      const keys = listed.slice(0, MAX_KEYS).map(({ key_identifier: id, key }) => [id, createPublicKey(key)] as const);
      this.known = { keys: new Map(keys), readAt: now };
    } catch (error) {
      this.log.warn({ event: 'leak_reports.keys_not_read', err: error }, 'The public keys of GitHub were not read');
    }
  }
}
