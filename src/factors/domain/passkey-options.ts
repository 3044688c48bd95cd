import { CHALLENGE_SECONDS } from './passkey-challenge';
import { textOf, type Passkey } from './passkey';

/** The service, as authenticators show it. */
const SERVICE = 'Tenantry';
/** How long the browser waits for the user, in milliseconds. */
const TIMEOUT = CHALLENGE_SECONDS * 1000;
/**
 * The COSE algorithms of the keys: ES256 and RS256, one of which every authenticator knows. Fixed,
 * because the defaults of the library depend on the version of Node.
 */
export const ALGORITHMS = [-7, -257];

/** The options with which a browser creates a passkey. */
export type CreationOptions = ReturnType<typeof creationOptions>;
/** The options with which a browser uses a passkey. */
export type RequestOptions = ReturnType<typeof requestOptions>;

/** The user as an authenticator shows and stores it. */
interface NamedUser {
  readonly handle: string;
  readonly email: string;
  readonly name: string;
}

/**
 * The options of `navigator.credentials.create()` (WebAuthn Level 3,
 * PublicKeyCredentialCreationOptionsJSON). The passkey must be found without the name of the user,
 * and its authenticator must verify the user.
 * @param existing the passkeys of the user, whose authenticators are not asked again
 */
export function creationOptions(
  challenge: string,
  rpId: string,
  { handle, email, name }: NamedUser,
  existing: readonly Pick<Passkey, 'id' | 'transports'>[],
) {
  return {
    challenge,
    rp: { id: rpId, name: SERVICE },
    user: { id: handle, name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: existing.map(({ id, transports }) => ({
      type: 'public-key' as const,
      id: textOf(id),
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
    timeout: TIMEOUT,
  };
}

/**
 * The options of `navigator.credentials.get()` (PublicKeyCredentialRequestOptionsJSON). They name
 * no passkeys: the browser offers those that it knows, and the answer reveals no account.
 */
export const requestOptions = (challenge: string, rpId: string) => ({
  challenge,
  rpId,
  userVerification: 'required' as const,
  timeout: TIMEOUT,
});
