import type { ClientErrorCode, Failure } from './api-answer.js';
import type { Client } from './client.js';
import { hasPasskeyAutofill, questionClosed } from './passkey-prompt.js';
import { askForPasskey, signInWith } from './passkey-operations.js';
import { wait } from './abortable-wait.js';

/** A challenge is valid for 5 minutes; a page may be open for longer. */
const RENEWAL_MS = 4 * 60_000;
/** A browser that refuses at once is not asked for ever. */
const MAX_REFUSALS = 5;
/** How long to wait if there are no options and the service does not say when it has some. */
const RETRY_SECONDS = 10;
/** The failures of the browser. All others are those of the request for options. */
const OF_BROWSER: ReadonlySet<string> = new Set([
  'PASSKEY_CANCELED',
  'PASSKEYS_UNAVAILABLE',
] satisfies ClientErrorCode[]);

/**
 * Offers passkeys in the autofill of the field with `autocomplete="username webauthn"`, with a new
 * challenge whenever one is about to expire, until the user has signed in. Tries again later if the
 * service cannot be reached or refuses a challenge. Does nothing in browsers that cannot do so.
 * @param signal ends it, such as when the page is left
 * @param onRefused called when the service refuses the chosen passkey
 */
export async function offerPasskeyAutofill(
  api: Pick<Client, 'DELETE' | 'GET' | 'POST'>,
  signal: AbortSignal,
  onRefused: (failure: Failure) => void,
): Promise<void> {
  if (!(await hasPasskeyAutofill())) return;
  for (let refusals = 0; refusals < MAX_REFUSALS && !signal.aborted;) {
    const renewal = AbortSignal.timeout(RENEWAL_MS);
    const asked = await askForPasskey(api, { isAutofill: true, signal: AbortSignal.any([signal, renewal]) });
    if (!asked.ok && !OF_BROWSER.has(asked.error.code)) {
      await wait((asked.error.retryAfter ?? RETRY_SECONDS) * 1000, signal);
      continue;
    }
    if (asked.ok) {
      const answer = await signInWith(api, asked.data);
      if (answer.ok) return;
      onRefused(answer.error);
    }
    if (!renewal.aborted) refusals++;
    await questionClosed(); // such as that of a button, which ended this one
  }
}
