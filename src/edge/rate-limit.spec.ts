import { addressKey } from './rate-limit';

describe('the address that limits count', () => {
  it.each([
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::7', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    [null, undefined, true],
  ])('%s and %s are the same: %s', (one, other, same) => expect(addressKey(one) === addressKey(other)).toBe(same));
});
