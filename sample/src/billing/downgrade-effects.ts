import { type Entitlement, takenOf } from './entitlements';
import { duration } from './plan-features';
import type { Plan } from './plan-prices';

/** An entitlement that a smaller plan does not have, or has less of. */
export interface DowngradeEffect {
  readonly name: string;
  readonly text: string;
  /** What happens to existing data. */
  readonly note?: string;
}

type Value = Plan['entitlements'][number]['value'];

/**
 * The entitlements that a workspace loses with a change to a smaller plan. Overrides are not lost.
 */
export function downgradeEffects(from: Plan, to: Plan, entitlements: readonly Entitlement[]): DowngradeEffect[] {
  const valueIn = ({ entitlements: all }: Plan, name: string): Value | undefined =>
    all.find((one) => one.name === name)?.value;
  return entitlements.flatMap((entitlement) => {
    const { name, source } = entitlement;
    const [before, after] = [valueIn(from, name), valueIn(to, name)];
    if (source !== from.name || before === undefined || after === undefined || before === after) return [];
    const effect = describe(entitlement, before, after);
    return effect ? [{ name, ...effect }] : [];
  });
}

const limit = (value: Value) => (value === null ? 'unlimited' : String(value));

function describe(entitlement: Entitlement, before: Value, after: Value): Omit<DowngradeEffect, 'name'> | undefined {
  const taken = takenOf(entitlement);
  const isOver = typeof after === 'number' && taken > after;
  switch (entitlement.name) {
    case 'projects':
      return {
        text: `${limit(after)} projects instead of ${limit(before)}`,
        note: isOver ? `You have ${taken}. All stay readable, but you can’t add any.` : undefined,
      };
    case 'keys':
      return {
        text: `${limit(after)} API keys instead of ${limit(before)}`,
        note: isOver ? `You have ${taken}. All keep working, but you can’t create any.` : undefined,
      };
    case 'seats':
      return {
        text: `Up to ${limit(after)} members instead of ${limit(before)}`,
        note: isOver ? `${taken} seats are taken. All members stay, but you can’t invite anyone.` : undefined,
      };
    case 'auditRetentionDays':
      return {
        text: `${duration(Number(after))} of audit log instead of ${duration(Number(before))}`,
        note: 'Older entries are hidden, not deleted.',
      };
    case 'auditExport':
      return { text: 'No audit log export' };
    case 'auditStreaming':
      return { text: 'No audit log streaming', note: 'Streams of the audit log stop.' };
    default:
      return undefined; // daily limits against abuse are no reason to keep a plan
  }
}
