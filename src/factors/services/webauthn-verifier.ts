import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Log } from '../../platform/observability/log';
import { checkCredentialKey } from '../domain/credential-key';
import { textOf, TRANSPORTS, type NewCredential, type Passkey, type PasskeyUse } from '../domain/passkey';
import { ALGORITHMS } from '../domain/passkey-options';
import type { PasskeyAssertion, PasskeyRegistration } from '../domain/passkey-response';
import { loadWebauthn, type WebauthnLibrary } from '../domain/webauthn-library';

/** What an authenticator sends that does not say which model it is. */
const NO_MODEL = '00000000-0000-0000-0000-000000000000';
const MAX_REASON_LENGTH = 200;

/**
 * Verifies what authenticators return (WebAuthn Level 3, sections 7.1 and 7.2): the challenge, the
 * origin, the relying party, that the user was verified, and the signature. What a response is
 * refused for is only logged.
 */
@Injectable()
export class WebauthnVerifier {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /** The challenge that a response was made for; undefined if it cannot be read. */
  challengeIn({ response: { clientDataJSON } }: PasskeyAssertion | PasskeyRegistration): Promise<string | undefined> {
    return this.unlessRefused(({ decodeClientDataJSON }) => String(decodeClientDataJSON(clientDataJSON).challenge));
  }

  /** @returns undefined if it is not a valid response to the challenge */
  newCredential({ id, response }: PasskeyRegistration, challenge: string): Promise<NewCredential | undefined> {
    return this.unlessRefused(async (library) => {
      checkSameOrigin(library, response.clientDataJSON);
      const { transports = [] } = response;
      const attestationObject = withoutAttestation(library, response.attestationObject);
      const { verified, registrationInfo } = await library.verifyRegistrationResponse({
        response: { ...credential(id), response: { ...response, attestationObject, transports: [] } },
        ...this.expected(challenge),
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified || registrationInfo.credential.id !== id) throw new Error('Unexpected credential id');
      checkCredentialKey(library, registrationInfo.credential.publicKey);
      const {
        aaguid,
        credentialBackedUp,
        credential: { counter, publicKey },
      } = registrationInfo;
      return {
        id: Buffer.from(id, 'base64url'),
        publicKey: Buffer.from(publicKey),
        counter,
        aaguid: aaguid === NO_MODEL ? null : aaguid,
        isBackedUp: credentialBackedUp,
        transports: TRANSPORTS.filter((known) => transports.includes(known)),
      };
    });
  }

  /** @returns undefined if it is not a valid response of this passkey to the challenge */
  use(
    { id, response }: PasskeyAssertion,
    challenge: string,
    passkey: Pick<Passkey, 'id' | 'publicKey'>,
  ): Promise<PasskeyUse | undefined> {
    return this.unlessRefused(async (library) => {
      checkSameOrigin(library, response.clientDataJSON);
      const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
        response: { ...credential(id), response },
        ...this.expected(challenge),
        // 0: what a counter means is decided by the passkey
        credential: { id: textOf(passkey.id), publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      });
      if (!verified) throw new Error('Wrong signature');
      return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
    });
  }

  private expected(expectedChallenge: string) {
    const { rpId, origins } = this.settings.passkeys;
    return { expectedChallenge, expectedOrigin: [...origins], expectedRPID: rpId, requireUserVerification: true };
  }

  private async unlessRefused<T>(verify: (library: WebauthnLibrary) => T | Promise<T>): Promise<T | undefined> {
    const library = await loadWebauthn(); // if it fails, the response is not refused
    try {
      return await verify(library);
    } catch (error) {
      const reason = String(error).slice(0, MAX_REASON_LENGTH);
      this.log.info({ event: 'passkey.refused', reason }, 'The response of an authenticator was refused');
      return undefined;
    }
  }
}

/** The fields of a response that never differ. */
const credential = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

/** A page of another origin must not embed a page of ours to obtain a signature. */
function checkSameOrigin({ decodeClientDataJSON }: WebauthnLibrary, clientDataJSON: string): void {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin || topOrigin !== undefined) throw new Error('The page was embedded by another origin');
}

/**
 * The same without its attestation, which says who made the authenticator. It is not asked for, and
 * verifying it could download lists of revoked certificates.
 */
function withoutAttestation(library: WebauthnLibrary, attestationObject: string): string {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = library;
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const fields: [string, unknown][] = [
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ];
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(fields) as Parameters<typeof isoCBOR.encode>[0]));
}
