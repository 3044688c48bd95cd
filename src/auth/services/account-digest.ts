import { digestOf } from '../../platform/secret-token';

/** The name of an account in cookies: 96 bits, short because it is sent with every request. */
export const accountDigest = (userId: string) => digestOf(userId).toString('base64url').slice(0, 16);
