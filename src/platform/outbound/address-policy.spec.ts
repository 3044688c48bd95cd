import { testSettings } from '../../../test/support/settings';
import { AddressPolicy } from './address-policy';

const policy = (variables: NodeJS.ProcessEnv = {}) => new AddressPolicy(testSettings(variables));
const messageOf = (url: string, variables?: NodeJS.ProcessEnv) => {
  const parsed = policy(variables).parse(url);
  return parsed.ok ? undefined : parsed.failure.message;
};
const LOCAL = { WEBHOOK_ALLOW_LOOPBACK: 'true' };
const HTTPS = 'The address must begin with https://.';
const INTERNAL = 'The host must not be an internal address.';
const PORT = 'The port must be 443, or 1024 or higher.';

describe('the policy for addresses of tenants', () => {
  it.each([
    'https://receiver.example/hooks?id=1',
    'https://receiver.example:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
  ])('accepts %s', (url) => expect(messageOf(url)).toBeUndefined());

  it.each([
    ['receiver.example', 'The address is not a URL.'],
    ['http://receiver.example/', HTTPS],
    ['ftp://receiver.example/', HTTPS],
    ['file:///etc/passwd', HTTPS],
    ['http://127.0.0.1:3000/', HTTPS],
    ['https://user@receiver.example/', 'The address must not contain a user or password.'],
    ['https://user:secret@receiver.example/', 'The address must not contain a user or password.'],
    ['https://receiver.example:25/', PORT],
    ['https://receiver.example:80/', PORT],
    ['https://127.0.0.1/', INTERNAL],
    ['https://2130706433/', INTERNAL],
    ['https://0x7f000001/', INTERNAL],
    ['https://0177.0.0.1/', INTERNAL],
    ['https://127.1/', INTERNAL],
    ['https://127.0.0.1./', INTERNAL],
    ['https://①②⑦.0.0.1/', INTERNAL],
    ['https://0/', INTERNAL],
    ['https://169.254.169.254/latest/meta-data/', INTERNAL],
    ['https://[::]/', INTERNAL],
    ['https://[::1]/', INTERNAL],
    ['https://[::ffff:169.254.169.254]/', INTERNAL],
    ['https://[::7f00:1]/', INTERNAL],
    ['https://[64:ff9b::a9fe:a9fe]/', INTERNAL],
    ['https://[64:ff9b:1::a9fe:a9fe]/', INTERNAL],
    ['https://[2002:7f00:1::]/', INTERNAL],
    ['https://[2001:0:7f00:1::]/', INTERNAL],
    ['https://[fd00:ec2::254]/', INTERNAL],
    ['https://[fe80::1]/', INTERNAL],
  ])('refuses %s', (url, message) => expect(messageOf(url)).toBe(message));

  it.each(['http://localhost:4000/', 'http://hooks.localhost:4000/', 'http://127.0.0.1:4000/', 'http://[::1]:4000/'])(
    'accepts %s only with WEBHOOK_ALLOW_LOOPBACK',
    (url) => {
      expect(messageOf(url)).toBe(HTTPS);
      expect(messageOf(url, LOCAL)).toBeUndefined();
    },
  );

  it('accepts http for this machine only, and no other internal address', () => {
    expect(messageOf('http://receiver.example:8080/', LOCAL)).toBe(HTTPS);
    expect(messageOf('http://10.0.0.1:8080/', LOCAL)).toBe(HTTPS);
    expect(messageOf('https://10.0.0.1/', LOCAL)).toBe(INTERNAL);
    expect(messageOf('http://localhost:80/', LOCAL)).toBe(PORT);
  });

  it('accepts the subnets of WEBHOOK_ALLOW_SUBNETS, in every form of their addresses', () => {
    const exceptions = { WEBHOOK_ALLOW_SUBNETS: '10.20.0.0/16, fd12::/16' };
    expect(messageOf('https://10.20.1.1/', exceptions)).toBeUndefined();
    expect(messageOf('https://[::ffff:10.20.1.1]/', exceptions)).toBeUndefined();
    expect(messageOf('https://[fd12::1]/', exceptions)).toBeUndefined();
    expect(messageOf('https://10.21.1.1/', exceptions)).toBe(INTERNAL);
    expect(messageOf('https://[fd13::1]/', exceptions)).toBe(INTERNAL);
    expect(messageOf('http://10.20.1.1/', exceptions)).toBe(HTTPS);
  });
});
