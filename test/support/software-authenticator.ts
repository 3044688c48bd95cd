import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { SignedInUser } from './actors';
import type { TestApp } from './app';
import { cborOf, type CborValue } from './cbor-encoder';

/** The options of the service, as far as an authenticator reads them. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** What an authenticator, or the browser around it, does differently from the standard. */
export interface Cheat {
  readonly id?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly isUserVerified?: boolean;
  readonly isUserPresent?: boolean;
  readonly isBackedUp?: boolean;
  readonly isBackupEligible?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  /** Bytes that are cut off from the end of the authenticator data, before it is signed. */
  readonly truncatedBy?: number;
  /** A field of the public key, by its label. */
  readonly keyField?: readonly [number, CborValue];
  /** Signs something else. */
  readonly isForged?: boolean;
  /** The attestation that nobody has asked for. */
  readonly attestation?: ReadonlyMap<string, CborValue>;
}

const FLAGS = { isUserPresent: 1, isUserVerified: 4, isBackupEligible: 8, isBackedUp: 16, hasKey: 64 };
const ES256 = -7;
const RS256 = -257;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const fromBase64 = (text: string | undefined) => Buffer.from(text!, 'base64url');

/**
 * An authenticator with one passkey, and the browser around it (WebAuthn Level 3, section 6). It
 * does what the standard says, unless it is told to cheat.
 */
export class SoftwareAuthenticator {
  readonly id = randomBytes(24).toString('base64url');
  counter = 0;
  private userHandle = randomBytes(64).toString('base64url');
  private readonly key: KeyObject;
  private readonly publicKey: ReadonlyMap<number, CborValue>;

  constructor(
    algorithm: 'ES256' | 'RS256' = 'ES256',
    private readonly origin = 'http://localhost:5173',
  ) {
    const { privateKey, publicKey } =
      algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.key = privateKey;
    this.publicKey = coseKeyOf(publicKey);
  }

  /** Registers a passkey of a signed-in user. @param name of the passkey */
  static async enrol(
    t: TestApp,
    { bearer }: Pick<SignedInUser, 'bearer'>,
    name = 'MacBook',
    authenticator = new SoftwareAuthenticator(),
  ): Promise<SoftwareAuthenticator> {
    const { body } = await t.api.post('/auth/passkeys/options').set(bearer).expect(200);
    const response = authenticator.create((body as { data: { options: Options } }).data.options);
    await t.api.post('/auth/passkeys').set(bearer).send({ response, name }).expect(200);
    return authenticator;
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(options: Options, cheat: Cheat = {}) {
    this.userHandle = options.user!.id;
    const publicKey = new Map([...this.publicKey, ...(cheat.keyField ? [cheat.keyField] : [])]);
    const id = fromBase64(this.id);
    const length = Buffer.from([0, id.length]);
    const credential = Buffer.concat([Buffer.alloc(16, 7), length, id, cborOf(publicKey)]);
    const authData = this.authenticatorData(options.rp!.id, cheat, credential);
    const attestation =
      cheat.attestation ??
      new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
      ]);
    return {
      ...this.credential(cheat),
      response: {
        clientDataJSON: this.clientData('webauthn.create', options, cheat),
        attestationObject: cborOf(new Map([...attestation, ['authData', authData]])).toString('base64url'),
        transports: ['internal', 'telepathy'],
      },
    };
  }

  /** `navigator.credentials.get()`, as JSON. */
  get(options: Options, cheat: Cheat = {}) {
    const authenticatorData = this.authenticatorData(options.rpId!, cheat);
    const clientDataJSON = this.clientData('webauthn.get', options, cheat);
    const signed = Buffer.concat([authenticatorData, sha256(fromBase64(clientDataJSON))]);
    return {
      ...this.credential(cheat),
      response: {
        clientDataJSON,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', cheat.isForged ? sha256(signed) : signed, this.key).toString('base64url'),
        userHandle: cheat.userHandle === undefined ? this.userHandle : cheat.userHandle,
      },
    };
  }

  private credential({ id = this.id }: Cheat) {
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} };
  }

  private clientData(type: string, { challenge }: Options, cheat: Cheat): string {
    const data = {
      type: cheat.type ?? type,
      challenge: cheat.challenge ?? challenge,
      origin: cheat.origin ?? this.origin,
      crossOrigin: cheat.crossOrigin ?? false,
      topOrigin: cheat.topOrigin,
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private authenticatorData(rpId: string, cheat: Cheat, credential = Buffer.alloc(0)): Buffer {
    const { isUserPresent = true, isUserVerified = true, isBackedUp, truncatedBy = 0 } = cheat;
    const { isBackupEligible = isBackedUp !== undefined } = cheat;
    const flags =
      (isUserPresent ? FLAGS.isUserPresent : 0) |
      (isUserVerified ? FLAGS.isUserVerified : 0) |
      (isBackupEligible ? FLAGS.isBackupEligible : 0) |
      (isBackedUp ? FLAGS.isBackedUp : 0) |
      (credential.length > 0 ? FLAGS.hasKey : 0);
    this.counter = cheat.counter ?? this.counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const data = Buffer.concat([sha256(cheat.rpId ?? rpId), Buffer.from([flags]), counter, credential]);
    return data.subarray(0, data.length - truncatedBy);
  }
}

/** A public key as authenticators encode it (RFC 9052, RFC 8230). */
export function coseKeyOf(key: KeyObject): ReadonlyMap<number, CborValue> {
  const { x, y, n, e } = key.export({ format: 'jwk' });
  const [KTY, ALG] = [1, 3];
  if (n)
    return new Map<number, CborValue>([
      [KTY, 3],
      [ALG, RS256],
      [-1, fromBase64(n)],
      [-2, fromBase64(e)],
    ]);
  return new Map<number, CborValue>([
    [KTY, 2],
    [ALG, ES256],
    [-1, 1],
    [-2, fromBase64(x)],
    [-3, fromBase64(y)],
  ]);
}
