import { TotpFactor } from '../../src/factors/domain/totp-factor';
import { recordsOf } from '../../src/platform/database/entity-records';
import { newId } from '../../src/platform/ids';
import type { SealedPlace, Vault } from '../../src/platform/vault';
import type { TestDatabase } from './database';

const { columns, rowsOf, parameter } = recordsOf(TotpFactor);

/** The place of the secret of a user's authenticator app. */
export const placeOf = (userId: string): SealedPlace => ({ table: 'totp_factors', column: 'secret_enc', id: userId });

/** The secret that `storeSecrets` gives a user. */
export const secretOf = (userId: string) => `secret of ${userId}`;

/** Stores users with an authenticator app, whose secrets a vault has sealed. @returns their ids */
export async function storeSecrets(database: TestDatabase, vault: Vault, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await database.query(
    `INSERT INTO users (id, email, name, is_email_verified, created_at)
     SELECT id, id || '@example.com', 'Ada', true, now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  const factors = ids.map((id) => TotpFactor.start(id, vault.seal(placeOf(id), secretOf(id)), new Date()));
  await database.query(`INSERT INTO totp_factors (${columns}) SELECT ${columns} FROM ${rowsOf('$1')}`, [
    parameter(factors),
  ]);
  return ids;
}

/** The stored, sealed secrets by the ids of their users. */
export async function storedSecrets(database: TestDatabase): Promise<Map<string, string>> {
  const sql = 'SELECT user_id AS id, secret_enc AS sealed FROM totp_factors';
  return new Map((await database.query<{ id: string; sealed: string }>(sql)).map(({ id, sealed }) => [id, sealed]));
}
