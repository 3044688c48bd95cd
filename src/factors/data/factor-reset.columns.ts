import { dueAt, expiresAt, type FactorReset } from '../domain/factor-reset';

/** The stored columns of a FactorResetView. */
export const FACTOR_RESET_COLUMNS = [
  'id',
  'userId',
  'reason',
  'state',
  'requestedBy',
  'requestedAt',
  'approvedBy',
  'approvedAt',
  'closedBy',
  'closedAt',
] as const;

type StoredFields = Pick<FactorReset, (typeof FACTOR_RESET_COLUMNS)[number]>;

/** A request as operators see it, with the times that follow from that of the request. */
export function withDeadlines(reset: StoredFields) {
  const stored = Object.fromEntries(FACTOR_RESET_COLUMNS.map((column) => [column, reset[column]])) as StoredFields;
  return { ...stored, dueAt: dueAt(reset), expiresAt: expiresAt(reset) };
}
