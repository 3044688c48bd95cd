import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Authentication } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock, MINUTE } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { currentContext } from '../../platform/observability/request-context';
import { PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { KEY_BY_HASH } from '../data/key-record';
import { isKeyToken } from '../domain/key-token';
import { KeyRefusals } from './key-refusals';
import { KeyUsage } from './key-usage';
import { KnownKey } from './known-key';
import { UnknownKeyLimit } from './unknown-key-limit';

/** Maximum number of cached keys, about 10 MB. */
const REMEMBERED_KEYS = 10_000;
/** Time after which a key is read again, even if no revocation was announced. */
const REMEMBERED_MS = MINUTE * 1000;
/** How far the clocks of two instances may differ. */
const CLOCK_MARGIN_MS = 5000;

/**
 * Identifies the caller of an API key. Its checksum is computed first, so that noise costs no
 * message; then the key is looked up by its SHA-256, once in a minute on each instance. After a
 * revocation was announced it is read again (docs/decisions/0054-api-keys.md).
 */
@Injectable()
export class KeyAuthentication {
  /** By the hash in base64, the least recently used first. */
  private readonly known = new Map<string, KnownKey>();

  constructor(
    private readonly revokedTokens: RevokedTokens,
    private readonly usage: KeyUsage,
    private readonly refusals: KeyRefusals,
    private readonly unknownKeyLimit: UnknownKeyLimit,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The caller of a key. UNAUTHENTICATED if it is malformed or unknown, API_KEY_REVOKED,
   * API_KEY_EXPIRED, ADDRESS_NOT_ALLOWED; of a personal token by the sign-in policy of its tenant
   * SECOND_FACTOR_REQUIRED, SIGN_IN_METHOD_NOT_ALLOWED; RATE_LIMITED after many unknown keys of an
   * address.
   */
  read(token: string): Authentication | Promise<Authentication> {
    if (!isKeyToken(token, this.settings.keyPrefix)) return err(PlatformFailures.unauthenticated);
    const hash = digestOf(token);
    const id = hash.toString('base64');
    const known = this.known.get(id);
    if (!known) return this.lookUpLimited(hash, id);
    if (this.isStale(known)) return this.lookUp(hash, id);
    this.known.delete(id);
    this.known.set(id, known);
    return this.check(known);
  }

  /** The same, read from the database now, for actions that cannot be undone. */
  async readAgain(token: string): Promise<Authentication> {
    if (!isKeyToken(token, this.settings.keyPrefix)) return err(PlatformFailures.unauthenticated);
    const hash = digestOf(token);
    return this.lookUp(hash, hash.toString('base64'));
  }

  private isStale({ revocationKeys, readAt }: KnownKey): boolean {
    if (this.clock.now().getTime() - readAt > REMEMBERED_MS) return true;
    return this.revokedTokens.lastRevokedAt(revocationKeys) + CLOCK_MARGIN_MS >= readAt;
  }

  private async lookUpLimited(hash: Buffer, id: string): Promise<Authentication> {
    const retryAfter = await this.unknownKeyLimit.begin();
    if (retryAfter > 0) return err({ ...PlatformFailures.rateLimited, retryAfter });
    const found = await this.lookUp(hash, id);
    if (this.known.has(id)) await this.unknownKeyLimit.forget();
    return found;
  }

  private async lookUp(hash: Buffer, id: string): Promise<Authentication> {
    const askedAt = this.clock.now().getTime();
    const [record] = await this.unitOfWork.call(KEY_BY_HASH, hash);
    this.known.delete(id);
    if (!record) return err(PlatformFailures.unauthenticated);
    if (this.known.size >= REMEMBERED_KEYS) this.known.delete(this.known.keys().next().value!);
    const key = new KnownKey(record, askedAt);
    this.known.set(id, key);
    const checked = await this.check(key);
    if (checked.ok && record.lastUsedAt === null) await this.usage.markFirst(key);
    return checked;
  }

  private check(key: KnownKey): Authentication | Promise<Authentication> {
    const now = this.clock.now();
    const checked = key.check(currentContext().ip, now);
    if (checked.ok) this.usage.note(key, now);
    else if (checked.failure.code === 'ADDRESS_NOT_ALLOWED') {
      const first = this.refusals.note(key, now);
      if (first) return this.usage.recordRefusal(first).then(() => checked);
    }
    return checked;
  }
}
