import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { BodyReader } from './body-reader';

const LIMIT = '1mb';
const SIGNATURE_HEADERS = ['stripe-signature', 'processor-signature'];
/** A timestamp and at least one signature, in any order, of bounded length. */
const SIGNATURE = /^(?=.*\bt=\d{1,12}(,|$))(?=.*\bv1=[0-9a-f]{64}(,|$)).{1,1000}$/;
const LEAK_KEY_ID = /^[0-9a-f]{40,128}$/i;
/** An ECDSA signature of P-256 in DER has 70 to 72 bytes, or a few less. */
const LEAK_SIGNATURE = /^[A-Za-z0-9+/]{80,100}={0,2}$/;

type Headers = Pick<Request, 'headers'>;

/** The signature header of a Stripe event; undefined if it is missing. The receiver verifies it. */
export function signatureIn({ headers }: Headers): string | undefined {
  return SIGNATURE_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
}

/** Who claims to have signed a report of leaked keys. */
export interface LeakReportSender {
  readonly keyId: string;
  readonly signature: Buffer;
}

/** What the headers of a report of leaked keys say; undefined if they do not have its form. */
export function leakReportSenderOf({ headers }: Headers): LeakReportSender | undefined {
  const { 'github-public-key-identifier': keyId, 'github-public-key-signature': signature } = headers;
  if (typeof keyId !== 'string' || typeof signature !== 'string') return undefined;
  if (!LEAK_KEY_ID.test(keyId) || !LEAK_SIGNATURE.test(signature)) return undefined;
  return { keyId, signature: Buffer.from(signature, 'base64') };
}

/** The paths of signed bodies, and whether the headers of a request can be those of one. */
const SIGNED: readonly (readonly [path: RegExp, isPossible: (request: Headers) => boolean])[] = [
  [/^\/api\/v1\/webhooks\/(stripe|processor)\/?$/, (request) => SIGNATURE.test(signatureIn(request) ?? '')],
  [/^\/api\/v1\/leaks\/github\/?$/, (request) => leakReportSenderOf(request) !== undefined],
];

/**
 * Keeps the exact bytes of a body that is signed, as a Buffer of at most 1 MB, whatever the media
 * type (docs/contract.md, Request bodies). A body whose headers cannot be those of a signature is
 * not read: it is empty, and no signature matches.
 */
export function readSignedBody(bodies: BodyReader): RequestHandler {
  const parse = raw({ limit: LIMIT, type: () => true, inflate: false });
  return (request: Request, response: Response, next: NextFunction) => {
    const signed = SIGNED.find(([path]) => path.test(request.path));
    if (!signed) return next();
    if (signed[1](request)) return bodies.read(parse, request, response, next);
    request.body = Buffer.alloc(0);
    next();
  };
}
