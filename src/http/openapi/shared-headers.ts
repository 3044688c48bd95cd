import { IDEMPOTENCY_REPLAYED } from '../idempotency/idempotency-key';
import { READ_AFTER } from '../requests/read-after';
import { REQUEST_ID } from '../requests/request-id.middleware';
import { RETRY_AFTER } from '../responses/retry-after';
import type { ReferenceObject } from './openapi-operations';

const text = { type: 'string' as const };

/** The response headers that the document describes, in its components. */
export const SHARED_HEADERS = {
  [REQUEST_ID]: {
    description: 'The id of the request, on all its log lines: that of the caller if it is well formed',
    required: true,
    schema: text,
  },
  [RETRY_AFTER]: {
    description: 'Seconds to wait before the next attempt; always with 429 and IDEMPOTENCY_IN_PROGRESS',
    schema: { type: 'integer' as const, minimum: 1 },
  },
  [READ_AFTER]: {
    description: 'Only with a read replica: the position of what was written, for the next GET requests',
    schema: text,
  },
  [IDEMPOTENCY_REPLAYED]: {
    description: 'The response is that of an earlier request with the same Idempotency-Key',
    schema: { ...text, enum: ['true'] },
  },
  'Set-Cookie': { description: 'A cookie of the session or of the sign-in; occurs several times', schema: text },
  'WWW-Authenticate': {
    description: 'With STEP_UP_REQUIRED: how old the proof of the identity may be (`max_age`, in seconds; RFC 9470)',
    schema: text,
  },
  Location: { description: 'Where the browser is sent', required: true, schema: text },
  'Content-Disposition': { description: 'Names the file', required: true, schema: text },
};

export type HeaderName = keyof typeof SHARED_HEADERS;

/** The reference to a header. */
export const refersTo = (name: HeaderName): ReferenceObject => ({ $ref: `#/components/headers/${name}` });
