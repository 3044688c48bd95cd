import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { isPerson } from '../access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import type { BodyReader } from './body-reader';

/** The path to which images are uploaded. */
const UPLOAD = /^\/api\/v1\/users\/me\/picture\/?$/i;
const LIMIT = '5mb';
/** The types of images that can be uploaded. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/** Uploads that an instance reads at a time: each is in memory as a whole. */
const MAX_UPLOADS = 8;
/** Milliseconds after which an upload is broken off. */
const MAX_UPLOAD_MS = 30_000;

/**
 * Reads an uploaded image of at most 5 MB as a Buffer (docs/contract.md, Request bodies). Without a
 * valid access token nothing is read: the body is empty, and the route refuses the request. A user
 * has one upload at a time, and an instance eight; others get 429.
 */
export function readImageBody(bodies: BodyReader): RequestHandler {
  const parse = raw({ limit: LIMIT, type: IMAGE_TYPES, inflate: false });
  const uploading = new Set<string>();
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'PUT' || !UPLOAD.test(request.path)) return next();
    request.body = Buffer.alloc(0);
    if (!request.identity?.ok || !isPerson(request.identity.value)) return next();
    if (!request.is(IMAGE_TYPES)) return next(new FailureException(NOT_AN_IMAGE_TYPE));
    const { userId } = request.identity.value;
    if (uploading.has(userId) || uploading.size >= MAX_UPLOADS) return next(new FailureException(TOO_MANY_UPLOADS));
    uploading.add(userId);
    response.once('close', () => uploading.delete(userId));
    bodies.read(parse, request, response, next, MAX_UPLOAD_MS);
  };
}

const TOO_MANY_UPLOADS = { ...PlatformFailures.rateLimited, retryAfter: 1 };
const NOT_AN_IMAGE_TYPE = {
  ...PlatformFailures.unsupportedMediaType,
  message: `The body must be an image (${IMAGE_TYPES.join(', ')}).`,
};
