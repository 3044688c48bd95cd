import { addressKey, networkOf, parsedAddress } from './client-address';

describe('the address for rate limits', () => {
  it.each([
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::7', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    [null, undefined, true],
  ])('%s and %s are the same: %s', (one, other, same) => expect(addressKey(one) === addressKey(other)).toBe(same));
});

describe('the stored address', () => {
  it.each([
    [['10.0.0.1', '127.0.0.1'], '10.0.0.1'],
    [['2001:db8::1'], '2001:db8::1'],
    [['fe80::1%eth0'], 'fe80::1'],
    [['<script>alert(1)</script>', '127.0.0.1'], '127.0.0.1'],
    [['10.0.0.1:8080', '::1'], '::1'],
    [['x'.repeat(3000), '::ffff:127.0.0.1'], '::ffff:127.0.0.1'],
    [['', undefined], null],
  ])('of %j is %s', (candidates, address) => expect(parsedAddress(...candidates)).toBe(address));
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:ffff::7', '2001:db8:1:2::/64'],
    ['unknown', null],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});
