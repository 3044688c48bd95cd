/** What an authenticator encodes: integers, texts, bytes, and maps of them. */
export type CborValue = number | string | Buffer | ReadonlyMap<number | string, CborValue>;

const MAJOR = { positive: 0, negative: 1, bytes: 2, text: 3, map: 5 };

/** The part of CBOR that WebAuthn needs (RFC 8949). */
export function cborOf(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.positive, value);
  if (typeof value === 'string') return Buffer.concat([head(MAJOR.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(MAJOR.bytes, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cborOf(key), cborOf(item)]);
  return Buffer.concat([head(MAJOR.map, value.size), ...entries]);
}

function head(major: number, length: number): Buffer {
  const type = major << 5;
  if (length < 24) return Buffer.from([type | length]);
  if (length < 256) return Buffer.from([type | 24, length]);
  const bytes = Buffer.from([type | 25, 0, 0]);
  bytes.writeUInt16BE(length, 1);
  return bytes;
}
