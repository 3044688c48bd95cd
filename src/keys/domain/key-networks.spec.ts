import { isNetwork } from '../../config/subnet-list';
import { allowedAddresses, allows } from './key-networks';

describe('allowed networks', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::/0', '::ffff:1.2.3.4'])(
    'can be %s',
    (text) => expect(isNetwork(text)).toBe(true),
  );

  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/',
    '203.0.113.7/8/8',
    '203.0.113.7/-1',
    '203.0.113.07',
    '2001:db8::/129',
    'fe80::1%eth0',
    7,
    null,
  ])('cannot be %j', (text) => expect(isNetwork(text)).toBe(false));

  it.each([
    [[], '198.51.100.1', true],
    [[], null, true],
    [['203.0.113.0/24'], '203.0.113.200', true],
    [['203.0.113.0/24'], '203.0.114.1', false],
    [['203.0.113.77/24'], '203.0.113.1', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.0/24'], '::ffff:203.0.113.1', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['198.51.100.1', '2001:db8::/32'], '198.51.100.1', true],
    [['203.0.113.0/24'], null, false],
  ])('%j allow %s: %s', (networks, ip, isAllowed) => {
    expect(allows(allowedAddresses(networks), ip)).toBe(isAllowed);
  });
});
