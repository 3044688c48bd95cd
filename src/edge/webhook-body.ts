import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** Where deliveries of other services come. */
const WEBHOOKS = /^\/api\/v1\/webhooks\/(stripe|processor)\/?$/;
const LIMIT = '1mb';

/** A delivery is signed over its very bytes: they are kept as a Buffer of at most 1 MB, whatever the media type says (contract section 1). */
export function webhookBody(): RequestHandler {
  const read = raw({ limit: LIMIT, type: () => true });
  return (request: Request, response: Response, next: NextFunction) => (WEBHOOKS.test(request.path) ? read(request, response, next) : next());
}
