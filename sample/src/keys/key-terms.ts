import type { FormValues } from '../form/form';

const DAY_MS = 86_400_000;

/** Days until a key expires, as they are offered. */
export const LIVES: readonly (readonly [days: number, name: string])[] = [
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
  [365, 'In a year'],
];
export const NEVER = 'never';
export const ON_A_DATE = 'date';

/** When a key expires: at the end of the chosen day, on this device's clock; undefined: never. */
export function expiryOf({ life, expiresAt = '' }: FormValues, now = Date.now()): string | undefined {
  if (life === NEVER) return undefined;
  if (life === ON_A_DATE) return expiresAt && new Date(`${expiresAt}T23:59:59`).toISOString();
  return new Date(now + Number(life) * DAY_MS).toISOString();
}

/** The networks in a field: one in each line, or separated by commas or spaces. */
export const networksOf = ({ allowedNetworks = '' }: FormValues): string[] =>
  allowedNetworks.split(/[\s,]+/).filter(Boolean);
