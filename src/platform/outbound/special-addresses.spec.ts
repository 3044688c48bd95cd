import { isSpecial, plainAddress } from './special-addresses';

describe('special addresses', () => {
  it.each([
    ['93.184.215.14', false],
    ['8.8.8.8', false],
    ['172.15.255.255', false],
    ['172.32.0.1', false],
    ['100.128.0.1', false],
    ['0.0.0.0', true],
    ['10.1.2.3', true],
    ['100.64.0.1', true],
    ['100.100.100.200', true],
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['168.63.129.16', true],
    ['169.254.169.254', true],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['192.0.0.192', true],
    ['192.168.0.1', true],
    ['198.18.0.1', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['2606:4700::1111', false],
    ['2a00:1450:4001::200e', false],
    ['::', true],
    ['::1', true],
    ['::8.8.8.8', true],
    ['64:ff9b:1::808:808', true],
    ['100::1', true],
    ['2001::1', true],
    ['2001:db8::1', true],
    ['2002:a00:1::1', true],
    ['3fff::1', true],
    ['5f00::1', true],
    ['fc00::1', true],
    ['fd00:ec2::254', true],
    ['fe80::1', true],
    ['fec0::1', true],
    ['ff02::1', true],
  ])('%s: %s', (address, expected) => expect(isSpecial(address)).toBe(expected));
});

describe('the plain address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', '169.254.169.254'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['64:ff9b::169.254.169.254', '169.254.169.254'],
    ['64:ff9b::7f00:1', '127.0.0.1'],
    ['64:ff9b:1::7f00:1', '64:ff9b:1::7f00:1'],
    ['::ffff:0:10.0.0.1', '::ffff:0:10.0.0.1'],
    ['2606:4700::1111', '2606:4700::1111'],
  ])('of %s is %s', (address, expected) => expect(plainAddress(address)).toBe(expected));

  it.each(['', 'localhost', '010.0.0.1', '1.2.3', '0x7f.0.0.1', 'fe80::1%eth0', '::ffff:10.0.0.1%1', '1::2::3'])(
    'is none for %s',
    (text) => expect(plainAddress(text)).toBeUndefined(),
  );
});
