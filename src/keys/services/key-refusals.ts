import { Injectable } from '@nestjs/common';
import { networkOf } from '../../platform/client-address';
import { currentContext } from '../../platform/observability/request-context';
import { ApiKeyAddressRefused } from '../keys.events';
import type { KnownKey } from './known-key';

/** Keys whose refusals are counted at a time; those of others are not recorded. */
const MAX_COUNTED = 10_000;
/** Networks listed in an entry. */
const MAX_NETWORKS = 5;

/** Refused uses of a key, counted on this instance. */
export interface CountedRefusals {
  readonly key: KnownKey;
  readonly since: Date;
  count: number;
  readonly networks: Set<string>;
}

/**
 * Counts in memory how often keys were used from addresses that they do not allow. Anybody who
 * found such a key can cause it. The audit log gets an entry of the first refusal of a key at once,
 * and then one of those that follow in a span of time.
 */
@Injectable()
export class KeyRefusals {
  /** Those that follow a first one, by the id of the key. */
  private readonly counted = new Map<string, CountedRefusals>();

  /**
   * Counts a refusal of the running request.
   * @returns the refusal if it is a first one, which is recorded at once and not counted
   */
  note(key: KnownKey, at: Date): CountedRefusals | undefined {
    const { id } = key.record;
    const network = networkOf(currentContext().ip ?? '');
    const networks = network === null ? [] : [network];
    const counted = this.counted.get(id);
    if (counted) {
      add(counted, 1, networks);
      return undefined;
    }
    if (this.counted.size >= MAX_COUNTED) return undefined;
    this.counted.set(id, { key, since: at, count: 0, networks: new Set() });
    return { key, since: at, count: 1, networks: new Set(networks) };
  }

  /** Removes those that began at `until` or before. @returns what is to be recorded of them */
  take(until: Date): CountedRefusals[] {
    const due = [...this.counted.values()].filter(({ since }) => since <= until);
    for (const { key } of due) this.counted.delete(key.record.id);
    return due.filter(({ count }) => count > 0);
  }

  /** Counts what could not be recorded, together with later ones. */
  putBack(refusals: readonly CountedRefusals[]): void {
    for (const one of refusals) {
      const later = this.counted.get(one.key.record.id);
      if (later) add(one, later.count, later.networks);
      this.counted.set(one.key.record.id, one);
    }
  }
}

function add(refusals: CountedRefusals, count: number, networks: Iterable<string>): void {
  refusals.count += count;
  for (const network of networks) if (refusals.networks.size < MAX_NETWORKS) refusals.networks.add(network);
}

/** What the audit log records of them. */
export function eventOf({ key, since, count, networks }: CountedRefusals): ApiKeyAddressRefused {
  const { tenantId, id } = key.record;
  return new ApiKeyAddressRefused(key.caller, tenantId, id, {
    count,
    since: since.toISOString(),
    networks: [...networks],
  });
}
