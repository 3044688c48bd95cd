import type { Response } from 'express';
import { currentContext } from '../../platform/observability/request-context';
import { REQUEST_ID } from '../requests/request-id.middleware';

/** Headers about the caller whose request happens to fill the cache. */
const OF_CALLER = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/**
 * Lets browsers and shared caches keep a response and send it to any caller (RFC 9111). It names no
 * quota, and its request id is ours: the caller could choose what others receive. It varies by
 * Origin, or a copy without CORS headers would be sent to the web client.
 * @param maxAge seconds for which it may be kept
 */
export function allowSharedCaching(response: Response, maxAge: number): void {
  for (const name of OF_CALLER) response.removeHeader(name);
  response.setHeader(REQUEST_ID, currentContext().requestId);
  response.setHeader('Cache-Control', `public, max-age=${maxAge}`);
  response.vary('Origin');
}
