import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { KeyRing } from '../config/key-ring';

/** The column and row that a sealed value belongs to. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /**
   * The primary key of the row, as the database writes it. Values of several columns are joined by
   * colons.
   */
  readonly id: string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** `v1.<key id>.<base64url of nonce, ciphertext and tag>`. */
const SEALED = /^v1\.([a-z0-9]{1,16})\.([\w-]+)$/;

/**
 * Encrypts secrets for the database with the keys of SECRETS_KEYS (AES-256-GCM, NIST SP 800-38D).
 * The place is authenticated, so that a value opens in its own column and row only. A column with
 * such values is marked with `@Sealed()`.
 */
export class Vault {
  private readonly keys: ReadonlyMap<string, KeyObject>;
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The ids of all keys, that one first. */
  readonly keyIds: readonly string[];

  /** @param ring the first key seals, all keys open */
  constructor(private readonly ring: KeyRing) {
    this.keys = new Map(ring.map(({ id, key }) => [id, key]));
    this.keyIds = [...this.keys.keys()];
    [this.keyId] = this.keyIds;
  }

  /**
   * A vault with these keys, each combined with a secret (HKDF, RFC 5869): without the secret, the
   * keys of SECRETS_KEYS open nothing that it has sealed.
   */
  with(secret: string): Vault {
    return new Vault(this.ring.map(({ id, key }) => ({ id, key: combined(key, secret) })));
  }

  /** Encrypts a text for a place. Two results for the same text differ. */
  seal(place: SealedPlace, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.get(this.keyId)!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(place));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.keyId}.${bytes.toString('base64url')}`;
  }

  /**
   * Decrypts what was sealed for a place.
   * @throws if the value was changed or sealed for another place, or its key is not in
   * SECRETS_KEYS; the error names the place and the key, never the value
   */
  open(place: SealedPlace, sealed: string): string {
    const [, keyId, text] = SEALED.exec(sealed) ?? [];
    if (keyId === undefined) throw new CannotOpen(place, 'it is not a sealed value');
    const key = this.keys.get(keyId);
    if (!key) throw new CannotOpen(place, `SECRETS_KEYS has no key ${keyId}`);
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new CannotOpen(place, `it is too short (key ${keyId})`);
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const opened = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    } catch {
      throw new CannotOpen(place, `the key ${keyId} does not fit: the value was changed, or sealed for another place`);
    }
  }

  /** The id of the key of a sealed value, known or not; undefined if it is not a sealed value. */
  keyIdOf(sealed: string): string | undefined {
    return SEALED.exec(sealed)?.[1];
  }
}

/** Thrown for a value that cannot be opened. */
export class CannotOpen extends Error {
  constructor({ table, column, id }: SealedPlace, reason: string) {
    super(`Cannot open ${table}.${column} of ${id}: ${reason}.`);
    this.name = 'CannotOpen';
  }
}

function combined(key: KeyObject, secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), secret, 'combined secret', KEY_BYTES)));
}

const associatedData = ({ table, column, id }: SealedPlace) => Buffer.from(`${table}:${column}:${id}`);
