import { generateKeyPairSync } from 'node:crypto';
import { newSecretsKeys } from '../../dev/local-keys';
import { inspect } from 'node:util';
import { PRODUCTION } from '../../test/support/settings';
import { InvalidSettings } from './read-environment';
import { readSettings } from './settings';

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const GOOD = {
  DATABASE_URL: 'postgres://tenantry:pw@localhost/tenantry',
  JWT_PRIVATE_KEY: rsa(2048),
  SECRETS_KEYS: newSecretsKeys(),
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'hello@tenantry.test',
};

function problemsOf(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(variables);
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

describe('settings', () => {
  it('have defaults where a default is safe', () => {
    const settings = readSettings(GOOD);
    expect(settings).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:3000',
      frontendUrl: 'http://localhost:5173',
      worker: 'inline',
      production: false,
      loginMaxFailures: 10,
    });
    expect(settings.cookie).toEqual({ secure: false, sameSite: 'strict' });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it.each([
    ['by default in production', PRODUCTION, 'required'],
    ['unless it is optional in production', { ...PRODUCTION, ADMIN_SECOND_FACTOR: 'optional' }, 'optional'],
    ['if it is required elsewhere', { ADMIN_SECOND_FACTOR: 'required' }, 'required'],
    ['by default nowhere else', {}, 'optional'],
  ])('ask admins for a second factor %s', (_when, variables, expected) =>
    expect(readSettings({ ...GOOD, ...variables }).adminSecondFactor).toBe(expected),
  );

  it('report all problems at once', () => {
    const problems = problemsOf({
      ...GOOD,
      DATABASE_URL: undefined,
      PORT: 'http',
      WORKER: 'sometimes',
      JWT_PRIVATE_KEY: 'garbage',
    });
    expect(problems).toEqual([
      expect.stringContaining('PORT'),
      expect.stringContaining('DATABASE_URL'),
      expect.stringContaining('WORKER'),
      'JWT_PRIVATE_KEY is not a readable PEM key',
    ]);
  });

  it.each([
    ['an empty value, which counts as not set', { PORT: '' }, []],
    [
      'a key that is too short',
      { JWT_PRIVATE_KEY: rsa(1024) },
      ['JWT_PRIVATE_KEY must be an RSA key of at least 2048 bits'],
    ],
    [
      'a key of another type',
      {
        JWT_PRIVATE_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
      ['JWT_PRIVATE_KEY must be an RSA key of at least 2048 bits'],
    ],
    ['a key on one line', { JWT_PRIVATE_KEY: GOOD.JWT_PRIVATE_KEY.replaceAll('\n', '\\n') }, []],
    ['no key for secrets', { SECRETS_KEYS: '' }, ['SECRETS_KEYS is required']],
    [
      'an example key for secrets in production',
      { ...PRODUCTION, SECRETS_KEYS: 'k1:change-me' },
      ['SECRETS_KEYS still holds an example value', expect.stringContaining('SECRETS_KEYS must be a list of id:key')],
    ],
    ['invalid public keys', { JWT_PUBLIC_KEYS: 'nonsense' }, ['JWT_PUBLIC_KEYS must be a list of PEM public keys']],
    [
      'a cookie for another site without TLS',
      { COOKIE_SAME_SITE: 'none' },
      ['COOKIE_SAME_SITE=none requires COOKIE_SECURE=true'],
    ],
    ['a cookie for another site with TLS', { COOKIE_SAME_SITE: 'none', COOKIE_SECURE: 'true' }, []],
    [
      'a live key at a custom address',
      { PROCESSOR_API_URL: 'http://127.0.0.1:4242', PROCESSOR_SECRET_KEY: 'sk_live_1' },
      ['PROCESSOR_API_URL must not be set together with a live PROCESSOR_SECRET_KEY'],
    ],
    ['half a provider', { GOOGLE_CLIENT_ID: 'x' }, ['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together']],
    ['an example secret outside of production', { METRICS_TOKEN: 'change-me-please-1' }, []],
    [
      'an example secret in production',
      { ...PRODUCTION, METRICS_TOKEN: 'change-me-please-1' },
      ['METRICS_TOKEN still holds an example value'],
    ],
    ['an invalid boolean', { COOKIE_SECURE: '1' }, ['COOKIE_SECURE must be true or false']],
    [
      'an invalid proxy list',
      { TRUST_PROXY: 'foo' },
      ['TRUST_PROXY must be true, false, a number, or a list of addresses and subnets'],
    ],
    ['an invalid admin address', { ADMIN_EMAILS: 'a@example.com, b' }, ['ADMIN_EMAILS contains an invalid address: b']],
    ['contacts for vulnerabilities', { SECURITY_CONTACT: 'mailto:s@example.com, https://example.com/report' }, []],
    [
      'a contact for vulnerabilities that is no URI',
      { SECURITY_CONTACT: 'mailto:s@example.com, security@example.com' },
      ['SECURITY_CONTACT must be addresses that start with mailto:, https:// or tel:, separated by commas'],
    ],
    ['a random port without BASE_URL', { PORT: '0' }, ['PORT=0 requires BASE_URL']],
    [
      'a private key among the public ones',
      { JWT_PUBLIC_KEYS: GOOD.JWT_PRIVATE_KEY },
      ['JWT_PUBLIC_KEYS must be a list of PEM public keys'],
    ],
    ['a URL without a host', { SMTP_URL: 'smtp://' }, [expect.stringContaining('SMTP_URL')]],
    [
      'a domain of passkeys that is not that of the web client',
      { FRONTEND_URL: 'https://app.example.com', PASSKEY_RP_ID: 'xample.com' },
      ['PASSKEY_RP_ID must be the host of FRONTEND_URL or a domain above it'],
    ],
    [
      'a domain of passkeys below the web client',
      { FRONTEND_URL: 'https://example.com', PASSKEY_RP_ID: 'app.example.com' },
      ['PASSKEY_RP_ID must be the host of FRONTEND_URL or a domain above it'],
    ],
    [
      'a domain of passkeys with a port',
      { PASSKEY_RP_ID: 'localhost:5173' },
      [expect.stringContaining('PASSKEY_RP_ID must be a host name'), expect.stringContaining('a domain above it')],
    ],
    ['a negative limit', { RATE_LIMIT_PER_MINUTE: '-1' }, [expect.stringContaining('RATE_LIMIT_PER_MINUTE')]],
  ])('%s', (_what, variables, problems) => expect(problemsOf({ ...GOOD, ...variables })).toEqual(problems));

  it.each([
    ['the host of the web client, by default', {}, 'app.example.com', ['https://app.example.com']],
    [
      'a domain above both addresses',
      { PASSKEY_RP_ID: 'example.com' },
      'example.com',
      ['https://app.example.com', 'https://api.example.com:8443'],
    ],
    [
      'that of the web client, where the service has the same origin',
      { BASE_URL: 'https://app.example.com' },
      'app.example.com',
      ['https://app.example.com'],
    ],
  ])('bind passkeys to %s', (_what, variables, rpId, origins) => {
    const addresses = { FRONTEND_URL: 'https://app.example.com/login', BASE_URL: 'https://api.example.com:8443' };
    expect(readSettings({ ...GOOD, ...addresses, ...variables }).passkeys).toEqual({ rpId, origins });
  });

  it('never contain the value of a key in an error', () => {
    for (const name of ['JWT_PRIVATE_KEY', 'SECRETS_KEYS'])
      expect(problemsOf({ ...GOOD, [name]: 'very-secret' }).join()).not.toContain('very-secret');
  });

  it('contain no key for secrets as text', () => {
    const [, key] = GOOD.SECRETS_KEYS.split(':');
    const { keys } = readSettings(GOOD);
    const texts = [JSON.stringify(keys), inspect(keys, { depth: 9, showHidden: true })];
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      expect(texts.join()).not.toContain(Buffer.from(key, 'base64').toString(encoding));
  });

  it('enable the POST limit by default in production only', () => {
    const limitOf = (variables: NodeJS.ProcessEnv) => readSettings(variables).authRateLimitPerMinute;
    expect([limitOf({ ...GOOD, ...PRODUCTION }), limitOf(GOOD)]).toEqual([60, 0]);
    expect([
      limitOf({ ...GOOD, ...PRODUCTION, AUTH_RATE_LIMIT_PER_MINUTE: '9' }),
      limitOf({ ...GOOD, AUTH_RATE_LIMIT_PER_MINUTE: '9' }),
    ]).toEqual([9, 9]);
    expect([
      limitOf({ ...GOOD, ...PRODUCTION, RATE_LIMIT_PER_MINUTE: '0' }),
      limitOf({ ...GOOD, ...PRODUCTION, AUTH_RATE_LIMIT_PER_MINUTE: '0' }),
    ]).toEqual([0, 0]);
  });

  it('let webhooks reach the given subnets, and this machine only outside of production', () => {
    const WEBHOOK_ALLOW_SUBNETS = '10.20.0.0/16, fd00::/8';
    const { outbound } = readSettings({ ...GOOD, WEBHOOK_ALLOW_SUBNETS, WEBHOOK_ALLOW_LOOPBACK: 'true' });
    expect(outbound).toEqual({ allowSubnets: ['10.20.0.0/16', 'fd00::/8'], allowLoopback: true });
    const WEBHOOK_PROXY_URL = 'http://user:word@proxy.internal:4750';
    expect(readSettings({ ...GOOD, WEBHOOK_PROXY_URL }).outbound.proxyUrl).toBe(WEBHOOK_PROXY_URL);
    expect(problemsOf({ ...GOOD, WEBHOOK_PROXY_URL: 'socks5://proxy.internal' })).toHaveLength(1);
    expect(problemsOf({ ...GOOD, WEBHOOK_PROXY_URL: 'http://user:%zz@proxy.internal' })).toEqual([
      'WEBHOOK_PROXY_URL has a user or password that is not percent-encoded',
    ]);
    expect(readSettings(GOOD).outbound).toEqual({ allowSubnets: [], allowLoopback: false });
    expect(problemsOf({ ...GOOD, WEBHOOK_ALLOW_SUBNETS: '10.0.0.0/33, ::/129, 10.0.0.0, 1.2.3.4/8' })).toEqual([
      'WEBHOOK_ALLOW_SUBNETS contains an invalid subnet: 10.0.0.0/33, ::/129, 10.0.0.0',
    ]);
    expect(problemsOf({ ...GOOD, ...PRODUCTION, WEBHOOK_ALLOW_LOOPBACK: 'true' })).toEqual([
      'WEBHOOK_ALLOW_LOOPBACK=true is for local mode: tenants would reach services of this machine',
    ]);
  });

  it('make cookies secure in production by default', () => {
    const production = { ...GOOD, ...PRODUCTION };
    expect(readSettings(production).cookie.secure).toBe(true);
    expect(readSettings({ ...production, COOKIE_SECURE: 'false', ALLOW_INSECURE: 'cookies' }).cookie.secure).toBe(
      false,
    );
  });

  it.each([
    ['true', true],
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ])('read TRUST_PROXY=%s as Express does', (TRUST_PROXY, expected) =>
    expect(readSettings({ ...GOOD, TRUST_PROXY }).trustProxy).toBe(expected),
  );
});
