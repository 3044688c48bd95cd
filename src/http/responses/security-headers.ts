import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../config/settings';

const EXPOSED = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'];

/**
 * helmet's whole set for pages; for the API, whose answers are never shown as a page, the few that
 * say something about data.
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
 * CORS for the web client at {frontend_url}, cookies included; a request without an Origin is not a
 * browser's cross-site one.
 */
export function allowFrontend({ frontendOrigin }: Settings): RequestHandler {
  const answer = cors({ origin: frontendOrigin, credentials: true, exposedHeaders: EXPOSED, maxAge: 600 });
  return (request, response, next) => (request.headers.origin === undefined ? next() : answer(request, response, next));
}
