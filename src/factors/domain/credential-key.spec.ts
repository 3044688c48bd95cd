import { generateKeyPairSync } from 'node:crypto';
import { cborOf } from '../../../test/support/cbor-encoder';
import { coseKeyOf } from '../../../test/support/software-authenticator';
import { checkCredentialKey } from './credential-key';
import { loadWebauthn, type WebauthnLibrary } from './webauthn-library';

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey;
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).publicKey;
const [P256, P384, RSA, SHORT_RSA] = [ec('P-256'), ec('P-384'), rsa(2048), rsa(1024)];

describe('The key of a passkey', () => {
  let library: WebauthnLibrary;
  beforeAll(async () => (library = await loadWebauthn()));

  const check = (key: typeof RSA, changes: readonly [number, number | Buffer][] = []) =>
    checkCredentialKey(library, cborOf(new Map([...coseKeyOf(key), ...changes])));

  it.each([
    ['of P-256', P256],
    ['of RSA with 2048 bits', RSA],
  ])('%s can be used', (_what, key) => expect(() => check(key)).not.toThrow());

  it.each<[string, typeof RSA, [number, number | Buffer][]]>([
    ['of another curve', P384, []],
    ['that says that it is of another curve', P256, [[-1, 2]]],
    ['that is not on the curve', P256, [[-2, Buffer.alloc(32, 1)]]],
    ['without a coordinate', P256, [[-3, Buffer.alloc(0)]]],
    ['with a coordinate that is no bytes', P256, [[-3, 7]]],
    ['for another algorithm', P256, [[3, -8]]],
    ['of RSA for the algorithm of P-256', RSA, [[3, -7]]],
    ['of P-256 for the algorithm of RSA', P256, [[3, -257]]],
    ['of a short RSA key', SHORT_RSA, []],
    ['of a very long RSA key', RSA, [[-1, Buffer.alloc(1024, 0xff)]]],
  ])('%s is refused', (_what, key, changes) => expect(() => check(key, changes)).toThrow());
});
