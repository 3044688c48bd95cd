import { ENTITLEMENT_KINDS, type Schemas } from '@tenantry/client';

/** An entitlement of a tenant, with its usage and source. */
export type Entitlement = Schemas['EntitlementView'];
/** The values that an override sets. */
export type EntitlementValues = Schemas['EntitlementValuesView'];
type Name = Schemas['EntitlementName'];

const NAMES = Object.keys(ENTITLEMENT_KINDS) as Name[];

/** The entitlements that a tenant either has or does not have. */
export const FEATURES: readonly Name[] = NAMES.filter((name) => ENTITLEMENT_KINDS[name] === 'feature');
/** The entitlements that are numbers. */
export const LIMITS: readonly Name[] = NAMES.filter((name) => !FEATURES.includes(name));
/** The limits that can be unlimited. */
export const UNLIMITED: readonly Name[] = NAMES.filter((name) => ENTITLEMENT_KINDS[name] === 'limit or unlimited');

/** The values that were typed, by entitlement; empty for the plan's default. */
export type TypedValues = Partial<Record<Name, string>>;

/** The values of an override as they are typed. */
export const typedOf = (values: EntitlementValues): TypedValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? 'unlimited')]));

/** The typed values as the API takes them. It refuses a limit that is not a number. */
export function valuesOf(typed: TypedValues): EntitlementValues {
  const given = Object.entries(typed).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(given.map(([name, text]) => [name, valueOf(text.trim())]));
}

function valueOf(text: string): string | number | boolean | null {
  if (text.toLowerCase() === 'unlimited') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Whether an entitlement is a feature and not a limit. */
export const isFeature = (name: string): boolean => FEATURES.some((feature) => feature === name);

/** The value of an entitlement as text. */
export function textOf(name: string, value: number | boolean | null): string {
  if (isFeature(name)) return value ? 'Included' : 'Not included';
  return value === null ? 'Unlimited' : String(value);
}
