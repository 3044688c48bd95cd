import { widestNetwork } from '../client-address';
import { currentContext } from '../observability/request-context';
import { digestOf } from '../secret-token';

/**
 * A hash of the user or client that caused an email to a new address.
 * @param key the network of a client, or the id of a user
 */
export const mailCauserHash = (key: string) => digestOf(key).toString('base64url');

/** The widest network around the client that sent the running request. */
export const causerHashOfRequest = () => mailCauserHash(widestNetwork(currentContext().ip));
