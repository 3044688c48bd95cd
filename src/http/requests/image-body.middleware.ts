import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';

/** The path to which images are uploaded. */
const UPLOAD = /^\/api\/v1\/users\/me\/picture\/?$/i;
const LIMIT = '5mb';
/** The types of images that can be uploaded. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/**
 * Reads an uploaded image of at most 5 MB as a Buffer (docs/contract.md, Request bodies). Without a
 * valid access token nothing is read: the body is empty, and the route refuses the request.
 */
export function readImageBody(): RequestHandler {
  const read = raw({ limit: LIMIT, type: IMAGE_TYPES });
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'PUT' || !UPLOAD.test(request.path)) return next();
    request.body = Buffer.alloc(0);
    if (!request.identity?.ok) return next();
    if (!request.is(IMAGE_TYPES)) return next(new FailureException(NOT_AN_IMAGE_TYPE));
    read(request, response, next);
  };
}

const NOT_AN_IMAGE_TYPE = {
  ...PlatformFailures.unsupportedMediaType,
  message: `The body must be an image (${IMAGE_TYPES.join(', ')}).`,
};
