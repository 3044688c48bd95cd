import type { Schemas } from './api-answer.js';
import { bytesOf, textOf } from './passkey-bytes.js';

/** The result of `navigator.credentials.get()` as the service takes it. */
export type PasskeyAssertion = Schemas['PasskeyAssertionBody'];
/** The result of `navigator.credentials.create()` as the service takes it. */
export type PasskeyRegistration = Schemas['RegistrationBody'];

// `parseRequestOptionsFromJSON` and `toJSON` do the same, but not all browsers that have passkeys
// have them, and those of some password managers throw.

/** The options of `navigator.credentials.get()`. @param json as the service sends them */
export function requestOptionsOf(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials = [] } = json;
  return {
    ...(json as object),
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(descriptorOf),
  };
}

/** The options of `navigator.credentials.create()`. @param json as the service sends them */
export function creationOptionsOf(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  const { challenge, user, rp, pubKeyCredParams, excludeCredentials = [] } = json;
  return {
    ...(json as object),
    rp,
    pubKeyCredParams,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(descriptorOf),
  };
}

const descriptorOf = ({ id, transports }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  transports: transports as AuthenticatorTransport[] | undefined,
});

/** What an authenticator has signed, as JSON. */
export function assertionOf({ id, response }: PublicKeyCredential): PasskeyAssertion {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return {
    id,
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle && { userHandle: textOf(userHandle) }),
    },
  };
}

/** A new passkey as JSON. */
export function registrationOf({ id, response }: PublicKeyCredential): PasskeyRegistration {
  const created = response as AuthenticatorAttestationResponse;
  return {
    id,
    response: {
      clientDataJSON: textOf(created.clientDataJSON),
      attestationObject: textOf(created.attestationObject),
      ...('getTransports' in created && { transports: created.getTransports() }),
    },
  };
}
