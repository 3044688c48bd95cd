import { digestOf } from '../../platform/secret-token';

/** Identifies an account in cookies: 96 bits, short because it is sent with every request. */
export const accountCookieId = (userId: string) => digestOf(userId).toString('base64url').slice(0, 16);
