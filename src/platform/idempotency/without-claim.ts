import { currentContext, withRequestContext } from '../observability/request-context';

/**
 * Runs a transaction whose result is not the answer of the route: it only reads, or counts an
 * attempt before the effect.
 */
export const withoutClaim = <T>(work: () => T): T =>
  withRequestContext({ ...currentContext(), claim: undefined }, work);
