import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scope } from '../database/tenant-scope';
import type { Transaction } from '../database/transaction';
import type { WritePosition } from '../database/write-position';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim';

/** The context of the running request or job. */
export interface RequestContext {
  readonly requestId: string;
  /** The caller's X-Request-Id; only logged. */
  readonly clientRequestId?: string;
  /** The client address according to TRUST_PROXY; null for a job. */
  readonly ip: string | null;
  /** At most 400 characters; null when none was sent, or for a job. */
  readonly userAgent: string | null;
  /** The cookie `device`, not verified. */
  readonly deviceCookie?: string;
  /** With a replica: the position (pg_lsn) behind which the client wants to read. */
  readonly readAfter?: string;
  /** With a replica, during a command: the position behind what it has written. */
  readonly written?: WritePosition;
  /** During a write with an Idempotency-Key: the claim on it. */
  readonly claim?: IdempotencyClaim;
  /** The open transaction, if any; set by the UnitOfWork. */
  readonly transaction?: Transaction;
  /** The scope of that transaction; undefined: no tenant's rows. */
  readonly scope?: Scope;
  /** The tenant whose row that transaction has locked; undefined: of no tenant. */
  readonly tenant?: LockedTenant;
}

/** What is read of a tenant when its row is locked. */
export interface LockedTenant {
  /** The types of public events that its webhooks get, `*` for all; null if it has no webhooks. */
  readonly webhookTypes: readonly string[] | null;
}

/** One store for all values: each further store would be copied for every promise. */
const running = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything it awaits, in this context. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return running.run(context, work);
}

/** Work that belongs to no request and no job, such as a schedule. */
const OUTSIDE: RequestContext = { requestId: 'none', ip: null, userAgent: null };

/** Runs work that belongs to several requests. */
export function outsideOfRequests<T>(work: () => T): T {
  return running.run(OUTSIDE, work);
}

/** The context of the running request or job, else an empty one. */
export function currentContext(): RequestContext {
  return running.getStore() ?? OUTSIDE;
}

/** The context of the running request or job, or undefined at start. */
export function requestContext(): RequestContext | undefined {
  return running.getStore();
}
