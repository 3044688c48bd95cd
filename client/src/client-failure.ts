import type { Answer, ClientErrorCode, Failure } from './api-answer.js';

/** A failure of the client itself, which has no response. */
export const clientFailure = (code: ClientErrorCode, message: string): Failure => ({
  code,
  message,
  status: 0,
  requestId: null,
  retryAfter: null,
});

/** The same as the result of an operation. */
export const failedWith = (code: ClientErrorCode, message: string): Answer<never> => ({
  ok: false,
  error: clientFailure(code, message),
});
