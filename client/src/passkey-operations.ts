import type { Answer, ErrorCode, Failure, Schemas } from './api-answer.js';
import type { Client } from './client.js';
import {
  assertionOf,
  creationOptionsOf,
  registrationOf,
  requestOptionsOf,
  type PasskeyAssertion,
} from './passkey-json.js';
import { promptForPasskey } from './passkey-prompt.js';
import { hasSignal, signalAcceptedPasskeys, signalUnknownPasskey } from './passkey-signals.js';

type Api = Pick<Client, 'DELETE' | 'GET' | 'POST'>;

interface PasskeyQuestion {
  /** Offers passkeys in the autofill of a field, in place of a dialog. */
  readonly isAutofill?: boolean;
  /** The ids of the only passkeys to offer, if the user is known. */
  readonly ids?: readonly string[];
  /** Ends the question. */
  readonly signal?: AbortSignal;
}

/** What a passkey has signed, and the domain that it is bound to. */
interface Signed {
  readonly assertion: PasskeyAssertion;
  readonly rpId: string;
}

/**
 * Has the browser ask for a passkey and sends what it has signed, such as to `/auth/second-factor`.
 * @returns the result of `send`; PASSKEY_CANCELED, PASSKEYS_UNAVAILABLE
 */
export async function withPasskey<Data>(
  api: Api,
  send: (assertion: PasskeyAssertion) => Promise<Answer<Data>>,
  question: PasskeyQuestion = {},
): Promise<Answer<Data>> {
  const signed = await askForPasskey(api, question);
  return signed.ok ? sendSigned(signed.data, send) : signed;
}

/** Signs in with a passkey, without a name. @returns the failures of `withPasskey` as well */
export async function signInWithPasskey(api: Api, question: PasskeyQuestion = {}): Promise<Answer<Schemas['SignIn']>> {
  const signed = await askForPasskey(api, question);
  return signed.ok ? signInWith(api, signed.data) : signed;
}

/** Confirms the identity of the signed-in user with one of their passkeys. */
export async function confirmWithPasskey(api: Api): Promise<Answer<null>> {
  const list = await api.GET('/auth/passkeys', { params: { query: { limit: 100 } } });
  if (!list.ok) return list;
  const ids = list.data.items.map(({ id }) => id);
  return withPasskey(api, (passkey) => api.POST('/auth/step-up', { body: { passkey } }), { ids });
}

/**
 * Adds a passkey to the account. A passkey that the service refuses is not offered again; if the
 * response was lost, for example, it may have been added, and is still offered.
 * @returns VALIDATION_ERROR before the browser asks, if the name is empty; PASSKEY_EXISTS if this
 * authenticator has one; the failures of `withPasskey`
 */
export async function addPasskey(api: Api, name: string): Promise<Answer<Schemas['PasskeyView']>> {
  if (name.trim() === '') return { ok: false, error: NAMELESS };
  const start = await api.POST('/auth/passkeys/options');
  if (!start.ok) return start;
  const options = start.data.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = creationOptionsOf(options);
  const created = await promptForPasskey((signal) => navigator.credentials.create({ publicKey, signal }));
  if (!created.ok) return created;
  const response = registrationOf(created.data);
  const added = await api.POST('/auth/passkeys', { body: { response, name } });
  if (!added.ok && REFUSALS.has(added.error.code)) await signalUnknownPasskey(String(options.rp.id), created.data.id);
  return added;
}

/** The service has looked at the new passkey, and has not added it. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CHALLENGE_EXPIRED',
  'LIMIT_REACHED',
  'PASSKEY_INVALID',
  'VALIDATION_ERROR',
] satisfies ErrorCode[]);

const NAMELESS: Failure = {
  code: 'VALIDATION_ERROR',
  message: 'The passkey needs a name.',
  details: { name: ['must be 1 to 100 characters long'] },
  status: 0,
  requestId: null,
  retryAfter: null,
};

/** Removes a passkey of the account, and tells the browser not to offer it any more. */
export async function removePasskey(api: Api, id: string): Promise<Answer<null>> {
  const answer = await api.DELETE('/auth/passkeys/{id}', { params: { path: { id } } });
  if (!answer.ok || !hasSignal('signalUnknownCredential')) return answer;
  const start = await api.POST('/auth/passkey/options');
  if (start.ok) await signalUnknownPasskey(String(start.data.options.rpId), id);
  return answer;
}

/** Requests new options, and has the browser ask for a passkey. */
export async function askForPasskey(
  api: Api,
  { isAutofill, ids = [], signal: given }: PasskeyQuestion,
): Promise<Answer<Signed>> {
  const start = await api.POST('/auth/passkey/options');
  if (!start.ok) return start;
  const options = start.data.options as unknown as PublicKeyCredentialRequestOptionsJSON & { rpId: string };
  const allowCredentials = ids.map((id) => ({ id, type: 'public-key' }));
  const publicKey = requestOptionsOf({ ...options, allowCredentials });
  const mediation = isAutofill ? 'conditional' : undefined;
  const asked = await promptForPasskey((signal) => navigator.credentials.get({ publicKey, mediation, signal }), given);
  return asked.ok ? { ok: true, data: { assertion: assertionOf(asked.data), rpId: options.rpId } } : asked;
}

/** Signs in with what a passkey has signed. */
export async function signInWith(api: Api, signed: Signed): Promise<Answer<Schemas['SignIn']>> {
  const { assertion, rpId } = signed;
  const answer = await sendSigned(signed, (response) => api.POST('/auth/passkey', { body: { response } }));
  if (answer.ok) void signalAcceptedPasskeys(api, rpId, assertion.response.userHandle);
  return answer;
}

async function sendSigned<Data>(
  { assertion, rpId }: Signed,
  send: (assertion: PasskeyAssertion) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  const answer = await send(assertion);
  if (!answer.ok && answer.error.code === 'PASSKEY_UNKNOWN') void signalUnknownPasskey(rpId, assertion.id);
  return answer;
}
