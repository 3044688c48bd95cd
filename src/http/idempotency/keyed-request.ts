import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { addressKey } from '../../platform/client-address';
import type { KeyedRequest } from '../../platform/idempotency/idempotency-claims';
import type { Access } from '../access/access';

/**
 * The hashes of a request with an Idempotency-Key. A key belongs to its caller and the active
 * tenant. Equal requests have the same method, URL and body, before validation.
 */
export function keyedRequest(request: Request, access: Access | undefined, key: string): KeyedRequest {
  const { method, originalUrl } = request;
  const body: unknown = request.body;
  const hash = createHash('sha256').update(JSON.stringify([method, originalUrl]));
  hash.update(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null));
  return { id: keyId(callerOf(request, access), key), requestHash: hash.digest() };
}

/**
 * Who sends a request: a user, a service account or a personal token in a tenant, an admin who
 * impersonates a user, or, on routes that are open to anyone, the client address on this route,
 * whether or not a token was sent.
 */
function callerOf({ identity, ip, method, route }: Request, access: Access | undefined): readonly unknown[] {
  if (access?.for === 'anyone' || !identity?.ok)
    return ['address', addressKey(ip), method, (route as { path: string }).path];
  const { principal, impersonatorId, tenantId } = identity.value;
  return [principal.kind, principal.id, impersonatorId, tenantId];
}

/** The primary key of a key of a caller. */
export const keyId = (caller: readonly unknown[], key: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([caller, key]))
    .digest();
