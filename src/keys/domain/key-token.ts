import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `service`: a key of a service account; `token`: a personal token. */
export type KeyKind = 'service' | 'token';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 226 random bits. */
const RANDOM_CHARACTERS = 38;
/** 62^6 is more than 2^32. */
const CHECKSUM_CHARACTERS = 6;
/** A key without its prefix. */
const REST = /^[kp]_[0-9A-Za-z]{44}$/;
const KIND_LETTERS: Readonly<Record<KeyKind, string>> = { service: 'k', token: 'p' };

/**
 * A new key: `tnk_` or `tnp_`, 38 random characters and a checksum, 48 characters in all. The key
 * itself is never stored.
 * @param prefix KEY_PREFIX, by default `tn`
 */
export function newKeyToken(prefix: string, kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]).join('');
  const body = `${prefix}${KIND_LETTERS[kind]}_${random}`;
  return body + checksumOf(body);
}

/**
 * Whether a text has the form of a key and the right checksum. It rejects typing errors and noise
 * without a look-up; it proves nothing.
 */
export function isKeyToken(text: string, prefix: string): boolean {
  const start = text.length - CHECKSUM_CHARACTERS;
  const body = text.slice(0, start);
  return text.startsWith(prefix) && REST.test(text.slice(prefix.length)) && checksumOf(body) === text.slice(start);
}

/** The CRC32 of a text in base 62. */
function checksumOf(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / BASE62.length))
    digits = BASE62[rest % BASE62.length] + digits;
  return digits;
}
