import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const SMALLEST_MODULUS = 2048;

/**
 * Parses a PKCS#8 PEM; line breaks may be written as
 * . Adds problems to `problems`.
 */
export function readPrivateKey(pem: string | undefined, problems: string[]): KeyObject | undefined {
  if (pem === undefined) return undefined; // already reported as missing
  return rsaKey('JWT_PRIVATE_KEY', problems, () => createPrivateKey(withLineBreaks(pem)));
}

/** Parses the retired public keys that still verify tokens: concatenated PEM blocks. */
export function readPublicKeys(pems: string, problems: string[]): readonly KeyObject[] {
  const blocks =
    withLineBreaks(pems).match(/-----BEGIN (RSA )?PUBLIC KEY-----[\s\S]+?-----END (RSA )?PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0 && pems.trim() !== '') problems.push('JWT_PUBLIC_KEYS must be a list of PEM public keys');
  return blocks.flatMap((pem) => rsaKey('JWT_PUBLIC_KEYS', problems, () => createPublicKey(pem)) ?? []);
}

function rsaKey(name: string, problems: string[], read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType === 'rsa' && bits >= SMALLEST_MODULUS) return key;
    problems.push(`${name} must be an RSA key of at least ${SMALLEST_MODULUS} bits`);
  } catch {
    problems.push(`${name} is not a readable PEM key`); // the key itself is never shown
  }
  return undefined;
}

const withLineBreaks = (pem: string) => pem.replaceAll('\\n', '\n');
