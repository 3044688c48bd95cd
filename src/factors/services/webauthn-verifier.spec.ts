import type { Settings } from '../../config/settings';
import type { Log } from '../../platform/observability/log';
import type { PasskeyAssertion } from '../domain/passkey-response';
import { WebauthnVerifier } from './webauthn-verifier';

const LIBRARY = '@simplewebauthn/server';
const mockLoad = jest.fn<object, []>();
jest.mock('@simplewebauthn/server', () => mockLoad());

const textOf = (clientData: object) => Buffer.from(JSON.stringify(clientData)).toString('base64url');
const assertionOf = (clientDataJSON: string) => ({ response: { clientDataJSON } }) as PasskeyAssertion;

describe('The library of passkeys', () => {
  const info = jest.fn();
  const verifier = new WebauthnVerifier({} as Settings, { info } as unknown as Log);
  const challengeIn = (clientDataJSON: string) => verifier.challengeIn(assertionOf(clientDataJSON));
  const readable = textOf({ challenge: 'abc' });

  it('is not loaded before a passkey is used', () => expect(mockLoad).not.toHaveBeenCalled());

  it('refuses no response when it cannot be loaded, and is tried again', async () => {
    mockLoad.mockImplementation(() => {
      throw new Error(`Cannot find module '${LIBRARY}'`);
    });
    for (const response of [readable, readable, 'unreadable'])
      await expect(challengeIn(response)).rejects.toThrow(`Cannot find module '${LIBRARY}'`);
    expect(info).not.toHaveBeenCalled();
  });

  it('is loaded once by several first uses', async () => {
    mockLoad.mockReset().mockImplementation(() => jest.requireActual<object>(LIBRARY));
    expect(await Promise.all([challengeIn(readable), challengeIn(readable)])).toEqual(['abc', 'abc']);
    expect(mockLoad).toHaveBeenCalledTimes(1);
    expect(await challengeIn('unreadable')).toBeUndefined();
    expect(info).toHaveBeenCalledWith(expect.objectContaining({ event: 'passkey.refused' }), expect.any(String));
  });
});
