import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** The paths of webhooks. */
const WEBHOOKS = /^\/api\/v1\/webhooks\/(stripe|processor)\/?$/;
const LIMIT = '1mb';
const SIGNATURE_HEADERS = ['stripe-signature', 'processor-signature'];
/** A timestamp and at least one signature, in any order, of bounded length. */
const SIGNATURE = /^(?=.*\bt=\d{1,12}(,|$))(?=.*\bv1=[0-9a-f]{64}(,|$)).{1,1000}$/;

/** The signature header; undefined if it is missing. The receiver verifies it. */
export function signatureIn({ headers }: Pick<Request, 'headers'>): string | undefined {
  return SIGNATURE_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
}

/**
 * Keeps the exact bytes of a webhook, which are signed, as a Buffer of at most 1 MB, whatever the
 * media type (docs/contract.md, Request bodies). A body whose header cannot be a signature is not
 * read: it is empty, and no signature matches.
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
