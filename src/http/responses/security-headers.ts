import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../config/settings';
import { IDEMPOTENCY_REPLAYED } from '../idempotency/idempotency-key';
import { READ_AFTER } from '../requests/read-after';
import { REQUEST_ID } from '../requests/request-id.middleware';
import { RETRY_AFTER } from './retry-after';

const EXPOSED = [
  REQUEST_ID,
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  RETRY_AFTER,
  READ_AFTER,
  IDEMPOTENCY_REPLAYED,
  'WWW-Authenticate',
  'Content-Disposition',
];

/**
 * helmet's headers for pages; for the API, whose responses are never rendered, only those about
 * data.
 */
export function securityHeaders({ baseUrl }: Settings): RequestHandler {
  const strictTransportSecurity = baseUrl.startsWith('https:');
  const forPages = helmet({
    strictTransportSecurity,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: strictTransportSecurity ? [] : null } },
  });
  const forData = helmet({
    strictTransportSecurity,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  });
  return (request, response, next) => (request.path.startsWith('/api/') ? forData : forPages)(request, response, next);
}

/**
 * CORS for the web client at {frontend_url}, with cookies. A request without an Origin is not a
 * cross-site request of a browser.
 */
export function allowFrontend({ frontendOrigin }: Settings): RequestHandler {
  const answer = cors({ origin: frontendOrigin, credentials: true, exposedHeaders: EXPOSED, maxAge: 600 });
  return (request, response, next) => (request.headers.origin === undefined ? next() : answer(request, response, next));
}
