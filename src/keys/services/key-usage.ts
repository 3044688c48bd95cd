import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Log } from '../../platform/observability/log';
import { ok } from '../../platform/result';
import { ApiKeyRepository, type KeyUse } from '../data/api-key.repository';
import type { KeyRecord } from '../data/key-record';
import type { KnownKey } from './known-key';
import { ApiKeyFirstUsed } from '../keys.events';

const FLUSH_MS = 60_000;
/** Keys whose use is noted at a time; that of others is not shown. */
const MAX_NOTED = 10_000;

/**
 * When keys were used last. A request only notes it in memory; an instance stores its notes once a
 * minute with one statement. A process that is killed loses the last minute.
 */
@Injectable()
export class KeyUsage implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private noted = new Map<string, KeyUse>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly keys: ApiKeyRepository,
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
    await this.flush();
  }

  /** Notes a use. */
  note({ tenantId, id }: Pick<KeyRecord, 'tenantId' | 'id'>, at: Date): void {
    if (this.noted.size < MAX_NOTED || this.noted.has(id)) this.noted.set(id, { tenantId, id, at });
  }

  /** Stores and publishes the first use of a key; of simultaneous ones, one is the first. */
  async markFirst({ record: { tenantId, id }, caller }: KnownKey): Promise<void> {
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const isFirst = await this.keys.markFirstUse({ tenantId, id, at: this.clock.now() });
      if (isFirst) await this.events.publish(new ApiKeyFirstUsed(caller, tenantId, id));
      return ok();
    });
  }

  /** Stores what was noted. If that fails, it is noted again unless there are later uses. */
  async flush(): Promise<void> {
    const uses = [...this.noted.values()];
    if (uses.length === 0) return;
    this.noted = new Map();
    try {
      await this.unitOfWork.acrossTenants(async () => {
        await this.keys.saveUses(uses);
        return ok();
      });
    } catch (error) {
      for (const use of uses) if (!this.noted.has(use.id)) this.note(use, use.at);
      this.log.warn({ err: error, event: 'keys.usage_flush_failed' }, 'The last uses of keys could not be stored');
    }
  }
}
