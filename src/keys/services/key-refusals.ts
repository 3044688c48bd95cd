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
 * found such a key can cause it, so the audit log gets one entry of a key for a span of time.
 */
@Injectable()
export class KeyRefusals {
  private readonly counted = new Map<string, CountedRefusals>();

  /** Counts a refusal of the running request. */
  note(key: KnownKey, at: Date): void {
    const { id } = key.record;
    const refusals = this.counted.get(id) ?? { key, since: at, count: 0, networks: new Set() };
    if (refusals.count === 0 && this.counted.size >= MAX_COUNTED) return;
    refusals.count++;
    const network = networkOf(currentContext().ip ?? '');
    if (network !== null && refusals.networks.size < MAX_NETWORKS) refusals.networks.add(network);
    this.counted.set(id, refusals);
  }

  /** Removes those that began at `until` or before, in order to record them. */
  take(until: Date): CountedRefusals[] {
    const due = [...this.counted.values()].filter(({ since }) => since <= until);
    for (const { key } of due) this.counted.delete(key.record.id);
    return due;
  }

  /** Counts on from what could not be recorded, unless there are later ones. */
  putBack(refusals: readonly CountedRefusals[]): void {
    for (const one of refusals) if (!this.counted.has(one.key.record.id)) this.counted.set(one.key.record.id, one);
  }
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
