import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/** Thrown where the database is needed and was never reached yet; the edge answers 503. */
export class DatabaseNotConnected extends Error {}

/**
 * What pg, Node and PostgreSQL say when nobody answers, or who answers is starting, stopping or
 * full.
 */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'ENOENT',
  '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006',
]); // prettier-ignore
const UNREACHABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client has encountered a connection error|the database system is (starting|shutting)/;

/**
 * Whether an error means that the database cannot be reached now, as opposed to a bug or a refusal.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseNotConnected) return true;
  const { code = '', message = '', errors } = driverError(error);
  if (errors?.length) return errors.every(isUnreachable); // one error per address of a host
  return UNREACHABLE_CODES.has(code) || UNREACHABLE_MESSAGE.test(message);
}

/**
 * What PostgreSQL says when it is asked in vain for now: it gave up on a statement or a lock, or
 * was told to; is full, out of memory or connections; its disk fails; it is read-only, because it
 * is not the primary any more; or transactions were in each other's way.
 */
const UNAVAILABLE_CODE = /^(08|53|58)|^(57014|57P0\d|55P03|55006|25006|25P03|25P04|40001|40P01)$/;

/**
 * Whether the same may succeed a little later: nothing is wrong with what was asked, and nothing of
 * it has been done.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    isUnreachable(error) ||
    error instanceof QueryRunnerAlreadyReleasedError ||
    UNAVAILABLE_CODE.test(driverError(error).code ?? '')
  );
}

/** Whether a statement was sent and its answer never came, so that it may have been carried out. */
export function isUnanswered(error: unknown): boolean {
  const { code = '', message = '' } = driverError(error);
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) || UNANSWERED_MESSAGE.test(message);
}

const UNANSWERED_MESSAGE = /Query read timeout|Connection terminated(?! due to connection timeout)/;

/** Whether the database refused a second row with this value; optionally of one constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23505' && (constraint === undefined || violated === constraint);
}

/**
 * Whether the database refused because a row that is pointed to is not there, or because one that
 * would go is pointed to.
 */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23503' && violated === constraint;
}

/**
 * Whether two transactions got into each other's way and this one was chosen to give way: it can be
 * done again.
 */
export function mustBeRepeated(error: unknown): boolean {
  return ['40P01', '40001'].includes(driverError(error).code ?? '');
}

/** Whether a lock was waited for until the time for that was over. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === '55P03';
}

/** Text that PostgreSQL cannot store, such as a NUL character: the caller's doing, not ours. */
export function isUnstorableText(error: unknown): boolean {
  return ['22021', '22P05'].includes(driverError(error).code ?? '');
}

/**
 * What PostgreSQL will never take, however often it is tried: data that no type holds, or more than
 * it can (classes 22 and 54).
 */
export function isRefusedData(error: unknown): boolean {
  return /^(22|54)/.test(driverError(error).code ?? '');
}

/**
 * What the drivers' errors have in common; read by its fields, because each comes from a class of
 * its own.
 */
interface DriverError {
  readonly code?: string;
  readonly message?: string;
  readonly constraint?: string;
  readonly errors?: readonly unknown[];
}

const driverError = (error: unknown): DriverError =>
  (error instanceof QueryFailedError ? error.driverError : (error ?? {})) as DriverError;
