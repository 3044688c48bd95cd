import type { Answer, ClientErrorCode } from './api-answer.js';
import { failedWith } from './client-failure.js';

/** Ends the question that is open, or the last one: a browser asks one at a time. */
let question = new AbortController();
let closing: Promise<unknown> = Promise.resolve();

/** Whether this browser has passkeys, and the page may use them. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined' && isSecureContext;

/** Whether this browser offers passkeys in the autofill of a field. */
export async function hasPasskeyAutofill(): Promise<boolean> {
  if (!hasPasskeys() || !('isConditionalMediationAvailable' in PublicKeyCredential)) return false;
  return PublicKeyCredential.isConditionalMediationAvailable();
}

/**
 * Has the browser ask the user for a passkey. An earlier question that is still open ends.
 * @param ask calls `navigator.credentials`
 * @param signal ends the question
 * @returns PASSKEY_CANCELED if the user or the signal ended it, also if the user was not verified;
 * PASSKEY_EXISTS; PASSKEYS_UNAVAILABLE
 */
export async function promptForPasskey(
  ask: (signal: AbortSignal) => Promise<Credential | null>,
  signal?: AbortSignal,
): Promise<Answer<PublicKeyCredential>> {
  if (!hasPasskeys()) return failureOf('NotSupportedError');
  if (signal?.aborted) return failureOf('AbortError'); // and the open question, which is newer, stays open
  question.abort();
  question = new AbortController();
  const asking = ask(AbortSignal.any([question.signal, ...(signal ? [signal] : [])]));
  closing = asking.catch(() => undefined);
  try {
    const credential = await asking;
    return credential ? { ok: true, data: credential as PublicKeyCredential } : failureOf('NotAllowedError');
  } catch (thrown) {
    return failureOf((thrown as Error).name);
  }
}

/** Waits until no question is open. */
export const questionClosed = (): Promise<unknown> => closing;

/** The failures by the names of WebAuthn's exceptions (Level 3, sections 5.1.3 and 5.1.4). */
const FAILURES: Readonly<Record<string, readonly [ClientErrorCode, string]>> = {
  NotAllowedError: ['PASSKEY_CANCELED', 'No passkey was used: the user canceled, was too late or was not verified.'],
  InvalidStateError: ['PASSKEY_EXISTS', 'This authenticator has a passkey of this account.'],
};

function failureOf(name: string): Answer<never> {
  const isAborted = name === 'AbortError' || name === 'TimeoutError';
  const [code, message] = FAILURES[isAborted ? 'NotAllowedError' : name] ?? [
    'PASSKEYS_UNAVAILABLE' as const,
    `Passkeys cannot be used in this browser or on this page (${name}).`,
  ];
  return failedWith(code, message);
}
