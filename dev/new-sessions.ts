import { refreshTokenText } from '../src/auth/domain/refresh-token-text';
import { newId } from '../src/platform/ids';
import { digestOf, newSecret } from '../src/platform/secret-token';

const SIGNED_IN = `
  WITH visitors AS (
    INSERT INTO users (id, email, name, is_email_verified, created_at)
    SELECT gen_random_uuid(), gen_random_uuid() || '@visitors.example', 'Visitor', true, now()
      FROM unnest($1::uuid[]) RETURNING id
  ), opened AS (
    INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, current_token_id)
    SELECT gen_random_uuid(), id, now(), now(), now() + interval '7 days', ($1::uuid[])[row_number() OVER ()]
      FROM visitors RETURNING id, expires_at, current_token_id
  )
  INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
  SELECT current_token_id, opened.id, given.hash, expires_at
    FROM opened JOIN unnest($1::uuid[], $2::bytea[]) given (id, hash) ON given.id = current_token_id`;

/** Creates users with a session each. @param run sends a statement @returns their refresh tokens */
export async function newSessions(
  run: (sql: string, parameters: unknown[]) => Promise<unknown>,
  count: number,
): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => ({ id: newId(), secret: newSecret() }));
  await run(SIGNED_IN, [tokens.map(({ id }) => id), tokens.map(({ secret }) => digestOf(secret))]);
  return tokens.map(({ id, secret }) => refreshTokenText(id, secret));
}
