import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/** The database was used before the first connection was made. Leads to a 503. */
export class DatabaseNotConnected extends Error {}

/** A write may be committed, or not replicated as configured. Leads to a 503 of its own. */
export class OutcomeUnknown extends Error {
  /** @param cause why it is not known */
  constructor(override readonly cause: unknown) {
    super(`The outcome of a write is unknown: ${(cause as Error).message}`, { cause });
  }

  /** The error itself, unless a write may have happened although it failed with this error. */
  static of(error: unknown): unknown {
    return mayBeCommitted(error) && !(error instanceof OutcomeUnknown) ? new OutcomeUnknown(error) : error;
  }
}

/**
 * Error codes of pg, Node and PostgreSQL when the server does not respond, starts, stops or is
 * full.
 */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPROTO', 'EHOSTUNREACH', 'ENETUNREACH',
  'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END',
  '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006',
]); // prettier-ignore
const UNREACHABLE_MESSAGE = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'not queryable',
    'Cannot use a pool after calling end',
    'Client has encountered a connection error',
    'the database system is (starting|shutting)',
  ].join('|'),
);

/** Whether the database is unreachable, as opposed to a bug or a refused statement. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseNotConnected) return true;
  const { code = '', message = '', errors } = driverError(error);
  if (errors?.length) return errors.every(isUnreachable); // Node reports one error per address of a host
  return UNREACHABLE_CODES.has(code) || UNREACHABLE_MESSAGE.test(message) || isLostByPooler(error);
}

/**
 * Whether PgBouncer has lost its server, or cannot connect to it. It reports a parameter that it
 * does not know with the same code.
 */
function isLostByPooler(error: unknown): boolean {
  const { code, severity, message = '' } = driverError(error);
  return code === '08P01' && severity === 'FATAL' && !message.startsWith('unsupported startup parameter');
}

/**
 * Whether a connection must not be used again: it is lost, or its server is no longer the primary.
 */
export const isUseless = (error: unknown): boolean => isUnreachable(error) || driverError(error).code === '25006';

/**
 * SQLSTATE codes of temporary refusals: timeout, canceled, lock not available, out of memory or
 * connections, disk failure, read-only because it is no longer the primary, serialization failure,
 * deadlock; a statement behind one that was refused (25P02), whose error may arrive later; and a
 * login that is refused while the password is being changed.
 */
const UNAVAILABLE_CODE = /^(08|53|58|28)|^(57014|57P0\d|55P03|55006|25006|25P02|25P03|25P04|40001|40P01)$/;

/**
 * Whether a retry may succeed: the request was valid, and had no effect unless its outcome is
 * unknown.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    isUnreachable(error) ||
    error instanceof OutcomeUnknown ||
    error instanceof QueryRunnerAlreadyReleasedError ||
    isStalePlan(error) ||
    UNAVAILABLE_CODE.test(driverError(error).code ?? '')
  );
}

/**
 * Whether a replica canceled a query because replaying the primary's changes could not wait for
 * it.
 */
export function isRecoveryConflict(error: unknown): boolean {
  const { code, message = '' } = driverError(error);
  return code === '40001' && message.includes('conflict with recovery');
}

/**
 * Whether a statement may have had an effect: it was sent and its response is lost, or the error is
 * of an unknown kind and may have come after the response.
 */
export function mayBeCommitted(error: unknown): boolean {
  return isUnanswered(error) || !(isRefused(error) || isUnreachable(error));
}

function isUnanswered(error: unknown): boolean {
  const { code = '', message = '' } = driverError(error);
  const isLost = LOST_CODES.has(code) || UNANSWERED_MESSAGE.test(message);
  return isLost || isLostByPooler(error);
}

const LOST_CODES = new Set(['ECONNRESET', 'ECONNABORTED', 'EPROTO', 'EPIPE', 'ETIMEDOUT']);
const UNANSWERED_MESSAGE = /Query read timeout|Connection terminated(?! due to connection timeout)/;

/**
 * Whether PostgreSQL answered that it refuses a statement, which therefore had no effect. pg
 * reports a response that it cannot read in the same way, without a code.
 */
export function isRefused(error: unknown): boolean {
  const answer = driverError(error);
  return answer instanceof DatabaseError && answer.code !== undefined && !isUnreachable(error);
}

/** The name of the constraint or unique index that refused a change (class 23), if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code = '', constraint } = driverError(error);
  return code.startsWith('23') ? constraint : undefined;
}

/**
 * Whether the transaction was rolled back because of a deadlock, a serialization failure or a stale
 * plan, and can be repeated.
 */
export function mustBeRepeated(error: unknown): boolean {
  return ['40P01', '40001'].includes(driverError(error).code ?? '') || isStalePlan(error);
}

const CHANGED_COLUMNS = { code: '0A000', message: 'cached plan must not change result type' };

/** What PostgreSQL reports for a prepared statement that would return other columns than before. */
export const stalePlan = (): Error => Object.assign(new Error(CHANGED_COLUMNS.message), CHANGED_COLUMNS);

/**
 * Whether PostgreSQL refused a prepared statement because a migration has changed the columns that
 * it returns, or because the connection no longer has it.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = driverError(error);
  return code === '26000' || (code === CHANGED_COLUMNS.code && message === CHANGED_COLUMNS.message);
}

/** Whether PostgreSQL refused a statement only because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return driverError(error).code === '25P02';
}

/** Whether PostgreSQL refuses the password or the role of a new connection. */
export function isLoginRefused(error: unknown): boolean {
  return /^28/.test(driverError(error).code ?? '');
}

/** Whether a table does not exist, because the database was never migrated. */
export function isUndefinedTable(error: unknown): boolean {
  return driverError(error).code === '42P01';
}

/** Whether waiting for a lock timed out. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === '55P03';
}

/**
 * Whether a statement of a migration did not get a lock, and had no effect: it waited too long, was
 * chosen to end a deadlock, or found a row of the catalogue that somebody else was changing.
 */
export function isLockConflict(error: unknown): boolean {
  const { code = '', message } = driverError(error);
  return ['55P03', '40P01'].includes(code) || message === 'tuple concurrently updated';
}

/** Whether the role lacks a privilege, for example because migrations have not granted it yet. */
export function isForbidden(error: unknown): boolean {
  return driverError(error).code === '42501';
}

/**
 * Whether a text cannot be stored in PostgreSQL, for example because of a NUL character: the
 * caller's mistake.
 */
export function isUnstorableText(error: unknown): boolean {
  return ['22021', '22P05'].includes(driverError(error).code ?? '');
}

/**
 * Whether PostgreSQL will never accept the data: a value that no type holds, or a program limit
 * (classes 22 and 54).
 */
export function isRefusedData(error: unknown): boolean {
  return /^(22|54)/.test(driverError(error).code ?? '');
}

/** The fields that drivers' errors share; their classes differ. */
interface DriverError {
  readonly code?: string;
  readonly message?: string;
  readonly constraint?: string;
  readonly severity?: string;
  readonly errors?: readonly unknown[];
}

function driverError(error: unknown): DriverError {
  if (error instanceof OutcomeUnknown) return driverError(error.cause);
  return (error instanceof QueryFailedError ? error.driverError : (error ?? {})) as DriverError;
}
