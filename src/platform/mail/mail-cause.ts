import { addressKey } from '../client-address';
import { currentContext } from '../observability/request-context';
import { digestOf } from '../secret-token';

/**
 * Whom a mail to a new address is put down to, as a hash.
 * @param key tells one from another: a client address, or the id of a person
 */
export const mailCause = (key: string) => digestOf(key).toString('base64url');

/** The client that sent the running request. */
export const causeOfRequest = () => mailCause(addressKey(currentContext().ip));
