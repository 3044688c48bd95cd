import type { Schemas } from '@tenantry/client';

export type Entitlement = Schemas['EntitlementView'];
export type EntitlementValues = Schemas['EntitlementValuesView'];
type Name = Schemas['EntitlementName'];

/** The entitlements that are numbers. */
export const LIMITS = ['projects', 'seats', 'invitationsPerDay', 'auditRetentionDays'] as const satisfies Name[];
/** Those that can be unlimited. */
export const UNLIMITED: readonly Name[] = ['projects', 'seats'];
/** The entitlements that a tenant has or has not. */
export const FEATURES = ['auditExport'] as const satisfies Name[];

/** The values that were typed, by entitlement; empty: as in the plan. */
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

export const isFeature = (name: string): boolean => FEATURES.some((feature) => feature === name);

/** The value of an entitlement as text. */
export function textOf(name: string, value: number | boolean | null): string {
  if (isFeature(name)) return value ? 'Included' : 'Not included';
  return value === null ? 'Unlimited' : String(value);
}
