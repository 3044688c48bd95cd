import type { IdentityProvider, ProviderAccount } from '../dev/identity-provider';
import { emailOf } from './seed-data';
import type { QueryCounter, Traffic } from './query-counter';
import { BASE_URL, type BenchServer } from './servers';

/**
 * Counts the database traffic of an identity provider's callback: for a linked account, an account
 * to be linked, and a new one.
 */
export async function countCallbacks(
  server: BenchServer,
  provider: IdentityProvider,
  counter: QueryCounter,
): Promise<[string, Traffic][]> {
  const fromProvider = async (account: ProviderAccount): Promise<Traffic> => {
    const begun = await fetch(`${server.url}/api/v1/auth/google`, { redirect: 'manual' });
    const answer = await provider.pick(begun.headers.get('location')!, account);
    const cookie = begun.headers.getSetCookie()[0].split(';')[0];
    return counter.during(async () => {
      const { headers } = await fetch(answer.replace(BASE_URL, server.url), {
        redirect: 'manual',
        headers: { cookie },
      });
      if (!headers.get('location')?.includes('#accessToken='))
        throw new Error(`the callback redirected to ${headers.get('location')}`);
    });
  };
  const known = { id: '1', name: 'Known', email: emailOf(1), isEmailVerified: true };
  const unknown = { id: '2', name: 'New', email: 'new@example.com', isEmailVerified: true };
  return [
    ['GET /auth/google/callback, to be linked', await fromProvider(known)],
    ['GET /auth/google/callback, linked', await fromProvider(known)],
    ['GET /auth/google/callback, a new user (two transactions)', await fromProvider(unknown)],
  ];
}
