import { bytesOfId, idOfBytes } from '../../platform/ids';
import { digestOf } from '../../platform/secret-token';

/** What a request says of a refresh token: which one it is, and that the client has it. */
export interface RefreshTokenRef {
  readonly id: string;
  /** The SHA-256 of its secret, or of the whole token if an earlier version has issued it. */
  readonly secretHash: Buffer;
}

/** 16 bytes of the id, and 32 of the secret, as URL-safe base64. */
const TEXT = /^[\w-]{64}$/;
const ID_BYTES = 16;

/**
 * A refresh token as clients receive it: 64 characters of URL-safe base64. It contains the id of
 * its row, so that the row is found by its primary key, which grows at one end. An index by hash
 * would be changed at a random place by each refresh.
 */
export function refreshTokenText(id: string, secret: Buffer): string {
  return Buffer.concat([bytesOfId(id), secret]).toString('base64url');
}

/** Reads a refresh token; undefined if the text does not have its form. */
export function refreshTokenRef(text: string): RefreshTokenRef | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return { id: idOfBytes(bytes.subarray(0, ID_BYTES)), secretHash: digestOf(bytes.subarray(ID_BYTES)) };
}
