import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** Where deliveries of other services come. */
const WEBHOOKS = /^\/api\/v1\/webhooks\/(stripe|processor)\/?$/;
const LIMIT = '1mb';
const SIGNATURE_HEADERS = ['stripe-signature', 'processor-signature'];
/** A time and at least one signature, in any order, and not many of them. */
const SIGNATURE = /^(?=.*\bt=\d{1,12}(,|$))(?=.*\bv1=[0-9a-f]{64}(,|$)).{1,1000}$/;

/**
 * What a delivery is signed with; undefined where the header is missing. Whether it is right is the
 * receiver's to find out.
 */
export function signatureIn({ headers }: Pick<Request, 'headers'>): string | undefined {
  return SIGNATURE_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
}

/**
 * A delivery is signed over its very bytes: they are kept as a Buffer of at most 1 MB, whatever the
 * media type says (docs/contract.md, Request bodies). Nothing is read of one whose header cannot be
 * a signature: it is empty then, for which no signature is right.
 */
export function readWebhookBody(): RequestHandler {
  const read = raw({ limit: LIMIT, type: () => true });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!WEBHOOKS.test(request.path)) return next();
    if (SIGNATURE.test(signatureIn(request) ?? '')) return read(request, response, next);
    request.body = Buffer.alloc(0);
    next();
  };
}
