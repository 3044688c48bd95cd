import type { Client } from './client.js';

/**
 * Tells the browser that a passkey belongs to nobody, so that it is not offered again (WebAuthn
 * Level 3, section 5.1.10). Browsers without the API ignore it.
 */
export async function signalUnknownPasskey(rpId: string, credentialId: string): Promise<void> {
  if (!hasSignal('signalUnknownCredential')) return;
  await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => undefined);
}

/**
 * Tells the browser which passkeys the signed-in user has, so that it offers no others.
 * @param userId the user in the passkey that has just signed in
 */
export async function signalAcceptedPasskeys(
  api: Pick<Client, 'GET'>,
  rpId: string,
  userId: string | undefined,
): Promise<void> {
  if (userId === undefined || !hasSignal('signalAllAcceptedCredentials')) return;
  const list = await api.GET('/auth/passkeys', { params: { query: { limit: 100 } } });
  if (!list.ok || list.data.nextCursor !== null) return; // an incomplete list would hide passkeys
  const accepted = { rpId, userId, allAcceptedCredentialIds: list.data.items.map(({ id }) => id) };
  await PublicKeyCredential.signalAllAcceptedCredentials(accepted).catch(() => undefined);
}

/** Whether the browser has a part of the Signal API. */
export const hasSignal = (name: 'signalUnknownCredential' | 'signalAllAcceptedCredentials'): boolean =>
  typeof PublicKeyCredential !== 'undefined' && name in PublicKeyCredential;
