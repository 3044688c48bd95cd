import { rotationFailure } from './rotation-failure';

describe('A refresh token that could not be rotated', () => {
  it.each([
    ['is unknown', undefined, 'INVALID_TOKEN'],
    ['was used or revoked', { isRevoked: true, isDisabled: false }, 'TOKEN_REUSE_DETECTED'],
    ['belongs to a disabled account', { isRevoked: false, isDisabled: true }, 'ACCOUNT_DISABLED'],
    ['was revoked when its account was disabled', { isRevoked: true, isDisabled: true }, 'ACCOUNT_DISABLED'],
    ['is neither', { isRevoked: false, isDisabled: false }, 'TOKEN_EXPIRED'],
  ])('%s', (_, token, code) => expect(rotationFailure(token).code).toBe(code));
});
