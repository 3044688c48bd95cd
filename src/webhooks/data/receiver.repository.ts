import type { EntityClass } from '../../platform/database/database-options';
import { EntityRepository } from '../../platform/database/entity-repository';
import { SignedReceiver } from '../domain/signed-receiver';

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

  /**
   * Whether an operator has disabled a receiver of the tenant, of whichever kind, at the host of an
   * address.
   */
  async isStopped(tenantId: string, url: string): Promise<boolean> {
    const { manager } = this.unitOfWork;
    const kinds = manager.dataSource.entityMetadatas.map(({ target }) => target).filter(isReceiver);
    const where = { tenantId, disabledWhy: 'operator' } as const;
    const stopped = await Promise.all(kinds.map((kind) => manager.findBy(kind, where)));
    const { host } = new URL(url);
    return stopped.flat().some((receiver) => receiver.host === host);
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

const isReceiver = (entity: unknown): entity is EntityClass<SignedReceiver> =>
  typeof entity === 'function' && entity.prototype instanceof SignedReceiver;
