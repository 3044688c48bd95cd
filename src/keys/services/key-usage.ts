import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { addSeconds, Clock, MINUTE } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { networkOf } from '../../platform/client-address';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { ok } from '../../platform/result';
import { ApiKeyRepository, type KeyUse } from '../data/api-key.repository';
import { eventOf, KeyRefusals, type CountedRefusals } from './key-refusals';
import type { KnownKey } from './known-key';
import { MAX_USED_NETWORKS } from '../domain/key-limits';
import { ApiKeyFirstUsed, ApiKeyUsedFromNewNetwork } from '../keys.events';

const FLUSH_MS = 60_000;
/** Refusals of a key within so many seconds are one entry of the audit log. */
const REFUSALS_SECONDS = 15 * MINUTE;
/** Keys whose use is noted at a time; that of others is not shown. */
const MAX_NOTED = 10_000;

/** The use of a key that an instance has noted. */
interface Noted extends KeyUse {
  readonly key: KnownKey;
}

/**
 * When keys were used last, and from which networks. A request only notes it in memory; an instance
 * stores its notes once a minute, with one statement, a second one for new networks and a third one
 * for refusals. A process that is killed loses the last minute, and how many refusals followed the
 * first one in 15 minutes.
 */
@Injectable()
export class KeyUsage implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private noted = new Map<string, Noted>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly refusals: KeyRefusals,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      void this.flush();
    }, FLUSH_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush(this.clock.now());
  }

  /** Notes a use by the running request, and a network that is not known for the key. */
  note(key: KnownKey, at: Date): void {
    const { tenantId, id } = key.record;
    const before = this.noted.get(id);
    if (!before && this.noted.size >= MAX_NOTED) return;
    this.noted.set(id, { key, tenantId, id, at, network: before?.network ?? newNetworkOf(key) });
  }

  /** Stores and publishes the first use of a key; of simultaneous ones, one is the first. */
  async markFirst({ record: { tenantId, id }, caller }: KnownKey): Promise<void> {
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const isFirst = await this.keys.markFirstUse({ tenantId, id, at: this.clock.now() });
      if (isFirst) await this.events.publish(new ApiKeyFirstUsed(caller, tenantId, id));
      return ok();
    });
  }

  /** Records the first refusal of a key. If that fails, it is counted with those that follow. */
  async recordRefusal(refusal: CountedRefusals): Promise<void> {
    try {
      await this.unitOfWork.inTenant({ tenantId: refusal.key.record.tenantId }, async () => {
        await this.events.publish(eventOf(refusal));
        return ok();
      });
    } catch (error) {
      this.refusals.putBack([refusal]);
      this.log.warn({ err: error, event: 'keys.refusal_failed' }, 'The refusal of a key could not be recorded yet');
    }
  }

  /**
   * Stores what was noted. If that fails, it is noted again unless there are later uses.
   * @param until which refusals are stored: those that began then or before
   */
  async flush(until = addSeconds(this.clock.now(), -REFUSALS_SECONDS)): Promise<void> {
    const [uses, refusals] = [this.noted, this.refusals.take(until)];
    if (uses.size + refusals.length === 0) return;
    this.noted = new Map();
    try {
      await this.unitOfWork.acrossTenants(() => this.store(uses, refusals));
    } catch (error) {
      this.refusals.putBack(refusals);
      for (const [id, use] of uses) if (!this.noted.has(id) && this.noted.size < MAX_NOTED) this.noted.set(id, use);
      this.log.warn({ err: error, event: 'keys.usage_flush_failed' }, 'The last uses of keys could not be stored');
    }
  }

  private async store(uses: ReadonlyMap<string, Noted>, refusals: readonly CountedRefusals[]) {
    if (uses.size > 0) await this.keys.saveUses([...uses.values()]);
    const fromNew = [...uses.values()].filter(({ network }) => network !== undefined);
    const added = fromNew.length > 0 ? await this.keys.addNetworks(fromNew) : [];
    const events = added.flatMap(({ tenantId, id, isFirst }) => {
      const { key, network } = uses.get(id)!;
      return isFirst ? [] : [new ApiKeyUsedFromNewNetwork(key.caller, tenantId, id, network!)];
    });
    await this.events.publish(...events, ...refusals.map(eventOf));
    return ok();
  }
}

/** The network of the running request if it is new for the key, and can be remembered. */
function newNetworkOf({ record: { usedNetworks } }: KnownKey): string | undefined {
  const { ip } = currentContext();
  if (ip === null || usedNetworks.length >= MAX_USED_NETWORKS) return undefined;
  const network = networkOf(ip);
  return network === null || usedNetworks.includes(network) ? undefined : network;
}
