import type { FindOptionsWhere } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import type { SignedReceiver } from '../domain/signed-receiver';

/** What members choose of a receiver, as far as a stop by an operator forbids it. */
interface ReceiverChanges {
  readonly url?: string;
  readonly enabled?: boolean;
}

/** The base of repositories of receivers. */
export abstract class ReceiverRepository<R extends SignedReceiver> extends EntityRepository<R> {
  abstract lock(tenantId: string, id: string): Promise<R | null>;

  /** The tenant of a receiver, for work across tenants. */
  abstract tenantOf(id: string): Promise<string | undefined>;

  /** Whether an operator has disabled a receiver of the tenant at the host of an address. */
  async isStopped(tenantId: string, url: string): Promise<boolean> {
    const where = { tenantId, disabledWhy: 'operator' } as FindOptionsWhere<R>;
    const { host } = new URL(url);
    return (await this.rows.findBy(where)).some((stopped) => stopped.host === host);
  }

  /**
   * Whether a change is refused because of an operator: it enables or moves what one disabled, or
   * moves a receiver to its host.
   */
  async isRefused(receiver: R, { url, enabled }: ReceiverChanges): Promise<boolean> {
    if (receiver.isStoppedByOperator) return enabled === true || url !== undefined;
    return url !== undefined && (await this.isStopped(receiver.tenantId, url));
  }

  /** Saves a receiver that this transaction has locked. */
  save(receiver: R): Promise<void> {
    return this.updateLater(receiver);
  }
}
