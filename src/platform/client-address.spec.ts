import { addressKey, networkOf, networksAround, parsedAddress } from './client-address';

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

describe('the networks around an address', () => {
  it.each<[string | null, [string, number][]]>([
    [
      '203.0.113.7',
      [
        ['203.0.113.7', 1],
        ['203.0.113.0/24', 8],
      ],
    ],
    [
      '2001:db8:1:2ff::7',
      [
        ['2001:db8:1:2ff::/64', 1],
        ['2001:db8:1:200::/56', 2],
        ['2001:db8:1::/48', 8],
      ],
    ],
    [null, [['unknown', 1]]],
  ])('%s are %j', (address, networks) => {
    expect(networksAround(address).map(({ key, clients }) => [key, clients])).toEqual(networks);
  });
});
