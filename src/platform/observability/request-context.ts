import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../database/tenant-scope';

/** What is known of the piece of work that is running now: a request or a job. */
export interface RequestContext {
  readonly requestId: string;
  /** What the caller calls the request; only for the log. */
  readonly clientRequestId?: string;
  /** The client's address as TRUST_PROXY lets us see it; null for a job. */
  readonly ip: string | null;
  /** At most 400 characters; null when none was sent, or for a job. */
  readonly userAgent: string | null;
  /** What the browser has to say of who signed in with it; unchecked. */
  readonly deviceCookie?: string;
  /** The transaction that is open, where one is; the UnitOfWork's own. */
  readonly transaction?: EntityManager;
  /** What that transaction may see of the tenants' rows: nothing, where none is said. */
  readonly scope?: Scope;
}

/** One store for everything: each further one would be copied for every promise that is made. */
const running = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and all that it awaits, with this context. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return running.run(context, work);
}

/** Work that no request and no job asked for, such as a schedule. */
const OUTSIDE: RequestContext = { requestId: 'none', ip: null, userAgent: null };

/** The context of the running request or job, else that of nobody's work. */
export function currentContext(): RequestContext {
  return running.getStore() ?? OUTSIDE;
}

/** The context of the running request or job, or undefined at start-up. */
export function requestContext(): RequestContext | undefined {
  return running.getStore();
}
