import { type Entitlement, takenOf } from './entitlements';
import { duration } from './plan-features';
import type { Plan } from './plan-prices';

/** Something that one plan has and another has not, or less of it. */
export interface Loss {
  readonly name: string;
  readonly text: string;
  /** What becomes of what there is. */
  readonly note?: string;
}

type Value = Plan['entitlements'][number]['value'];

/**
 * What a workspace loses with a change to a smaller plan. What an operator has given to it stays.
 */
export function lossesOf(from: Plan, to: Plan, entitlements: readonly Entitlement[]): Loss[] {
  const valueIn = ({ entitlements: all }: Plan, name: string): Value | undefined =>
    all.find((one) => one.name === name)?.value;
  return entitlements.flatMap((entitlement) => {
    const { name, source } = entitlement;
    const [before, after] = [valueIn(from, name), valueIn(to, name)];
    if (source !== from.name || before === undefined || after === undefined || before === after) return [];
    const loss = describe(entitlement, before, after);
    return loss ? [{ name, ...loss }] : [];
  });
}

const limit = (value: Value) => (value === null ? 'unlimited' : String(value));

function describe(entitlement: Entitlement, before: Value, after: Value): Omit<Loss, 'name'> | undefined {
  const taken = takenOf(entitlement);
  const isOver = typeof after === 'number' && taken > after;
  switch (entitlement.name) {
    case 'projects':
      return {
        text: `${limit(after)} projects instead of ${limit(before)}`,
        note: isOver ? `You have ${taken}. All stay readable, but you can’t add any.` : undefined,
      };
    case 'seats':
      return {
        text: `Up to ${limit(after)} members instead of ${limit(before)}`,
        note: isOver ? `${taken} seats are taken. Everybody stays, but you can’t invite anybody.` : undefined,
      };
    case 'auditRetentionDays':
      return {
        text: `${duration(Number(after))} of audit log instead of ${duration(Number(before))}`,
        note: 'Older entries are hidden, not deleted.',
      };
    case 'auditExport':
      return { text: 'No audit log export' };
    default:
      return undefined; // daily limits against abuse are no reason to keep a plan
  }
}
