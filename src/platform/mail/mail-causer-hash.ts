import { addressKey } from '../client-address';
import { currentContext } from '../observability/request-context';
import { digestOf } from '../secret-token';

/**
 * A hash of the user or client that caused an email to a new address.
 * @param key a client address, or the id of a user
 */
export const mailCauserHash = (key: string) => digestOf(key).toString('base64url');

/** The client that sent the running request. */
export const causerHashOfRequest = () => mailCauserHash(addressKey(currentContext().ip));
