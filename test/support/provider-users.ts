import type { ProviderAccount, ProviderName } from '../../dev/identity-provider';
import type { TestApp } from './app';

let users = 0;

/** A user with an identity at a provider. */
export function someone(wanted: Partial<ProviderAccount> = {}): ProviderAccount {
  const id = String(1000 + users++);
  return {
    id,
    name: 'Grace Hopper',
    email: `grace${id}@example.com`,
    isEmailVerified: true,
    pictureUrl: 'https://pictures.test/grace.png',
    ...wanted,
  };
}

/** The stored users with an address. */
export const usersWithEmail = (t: TestApp, email: string | null) =>
  t.database.query<{ id: string; passwordHash: string | null }>(
    'SELECT id, password_hash AS "passwordHash" FROM users WHERE email = $1',
    [email],
  );

/** The identities at a provider that are linked to the user with an address. */
export const linksOf = (t: TestApp, provider: ProviderName, email: string) =>
  t.database.query<{ id: string }>(
    `SELECT provider_user_id AS id FROM linked_providers p JOIN users u ON u.id = p.user_id
      WHERE u.email = $1 AND provider = $2`,
    [email, provider],
  );
