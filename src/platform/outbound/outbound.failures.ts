import { failure } from '../result';

/**
 * Why a request to a tenant's address failed. The messages are shown to the tenant: they say
 * nothing about addresses, ports or answers inside the network of the service.
 */
export const OutboundFailures = {
  urlNotAllowed: failure('URL_NOT_ALLOWED', 'invalid', 'The address is not allowed.'),
  addressNotAllowed: failure(
    'ADDRESS_NOT_ALLOWED',
    'invalid',
    'The host name resolves to an address that is not allowed.',
  ),
  hostNotFound: failure('HOST_NOT_FOUND', 'unavailable', 'The host name was not found.'),
  notConnected: failure('NOT_CONNECTED', 'unavailable', 'The host did not accept a connection.'),
  tlsRefused: failure('TLS_REFUSED', 'unavailable', 'The TLS certificate or TLS version of the host is not accepted.'),
  timedOut: failure('TIMED_OUT', 'unavailable', 'The host did not send a complete response in time.'),
  brokenAnswer: failure(
    'BROKEN_ANSWER',
    'unavailable',
    'The connection was closed, or the response was not valid HTTP.',
  ),
};

export type OutboundFailure = (typeof OutboundFailures)[keyof typeof OutboundFailures];
/** The codes of all of them. */
export type OutboundCode = OutboundFailure['code'];
