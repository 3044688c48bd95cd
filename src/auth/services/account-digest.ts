import { digestOf } from '../../platform/secret-token';

/**
 * What a cookie calls an account: short, because it travels with every request; 96 bits tell
 * accounts apart.
 */
export const accountDigest = (userId: string) => digestOf(userId).toString('base64url').slice(0, 16);
