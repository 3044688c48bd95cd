import type { ClientRequest } from 'node:http';
import { TimeoutError } from '../timeout';
import { OutboundFailures, type OutboundFailure } from './outbound.failures';

/** A host has no address. */
export class UnknownHost extends Error {}

/** A host has an address that is not allowed. */
export class ForbiddenAddress extends Error {}

/** The proxy opens no connection to a host. */
export class TunnelRefused extends Error {}

/** Codes of errors before a connection exists (errno(3)). */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'ETIMEDOUT'];
/** Codes of OpenSSL and Node about certificates and handshakes. */
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)|CHAIN|EPROTO/;

/** The failure for an error of a request. @param isLate whether the time was up */
export function failureOf(error: unknown, isLate: boolean): OutboundFailure {
  if (isLate || error instanceof TimeoutError) return OutboundFailures.timedOut;
  if (error instanceof UnknownHost) return OutboundFailures.hostNotFound;
  if (error instanceof ForbiddenAddress) return OutboundFailures.addressNotAllowed;
  if (error instanceof TunnelRefused) return OutboundFailures.notConnected;
  const code = codeOf(error);
  if (NOT_CONNECTED.includes(code)) return OutboundFailures.notConnected;
  return TLS.test(code) ? OutboundFailures.tlsRefused : OutboundFailures.brokenAnswer;
}

/** Whether a kept connection was closed before it brought an answer. */
export const isStaleConnection = (error: unknown, { reusedSocket }: ClientRequest): boolean =>
  reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

/** The code of an error; of the first one if several addresses were tried (AggregateError). */
function codeOf(error: unknown): string {
  const { code, errors } = error as { readonly code?: string; readonly errors?: readonly { readonly code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}
