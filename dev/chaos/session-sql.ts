import { newId } from '../../src/platform/ids';

/**
 * Opens a session for an access token, with a fresh proof of the identity. The ids are UUIDs, so
 * the text needs no parameters.
 */
export function sessionSql(userId: string, tokenId: string): string {
  const id = newId();
  return `
    INSERT INTO sessions (id, user_id, created_at, last_used_at, proved_at, expires_at, current_token_id)
    VALUES ('${id}', '${userId}', now(), now(), now(), now() + interval '7 days', '${tokenId}');
    INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
    VALUES ('${tokenId}', '${id}', sha256('${tokenId}'), now() + interval '7 days')`;
}
