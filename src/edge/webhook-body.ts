import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** Deliveries by other services: everything below here is read as it came. */
const WEBHOOKS = /^\/api\/v1\/webhooks\//;
const LIMIT = '1mb';

/** A delivery is signed over its very bytes: they are kept as a Buffer of at most 1 MB, whatever the media type says (contract section 1). */
export function webhookBody(): RequestHandler {
  const read = raw({ limit: LIMIT, type: () => true });
  return (request: Request, response: Response, next: NextFunction) => (WEBHOOKS.test(request.path) ? read(request, response, next) : next());
}
