import { PRODUCTION, testSettings } from '../../../test/support/settings';
import { postureOf } from './security-posture';

const SAFE = {
  ...PRODUCTION,
  MAIL_LINKS: 'confirm',
  SMTP_URL: 'smtps://mail.tenantry.test',
  REDIS_URL: 'redis://redis:6379',
};
const ROLE = { ownsTables: false, bypasses: false };

describe('the security posture', () => {
  it('has no warnings for secure settings', () => {
    expect(postureOf(testSettings(SAFE), ROLE)).toEqual({
      production: true,
      databaseRoles: 'two',
      bypassesRowLevelSecurity: false,
      https: true,
      secureCookies: true,
      trustedProxies: 'false',
      mailEncrypted: true,
      sharedLimits: true,
      adminSecondFactor: true,
      exceptions: [],
      warnings: [],
    });
  });

  it.each([
    ['one role', {}, { ownsTables: true, bypasses: false }, { databaseRoles: 'one' }, 'owns tables'],
    [
      'a role without policies',
      {},
      { ownsTables: false, bypasses: true },
      { bypassesRowLevelSecurity: true },
      'bypasses row-level security',
    ],
    [
      'admins without a second factor',
      { ADMIN_SECOND_FACTOR: 'optional' },
      ROLE,
      { adminSecondFactor: false },
      'ADMIN_SECOND_FACTOR=optional',
    ],
    ['links that keep the password of a stranger', { MAIL_LINKS: 'direct' }, ROLE, {}, 'MAIL_LINKS=direct'],
    ['no Redis', { REDIS_URL: '' }, ROLE, { sharedLimits: false }, 'REDIS_URL is not set'],
    [
      'an address of the same machine',
      { BASE_URL: 'http://localhost:3000' },
      ROLE,
      { https: false },
      'this machine only',
    ],
    [
      'unencrypted mail',
      { SMTP_URL: 'smtp://a.test', ALLOW_INSECURE: 'smtp' },
      ROLE,
      { mailEncrypted: false, exceptions: ['smtp'] },
      'SMTP_URL',
    ],
    [
      'unencrypted cookies',
      { COOKIE_SECURE: 'false', ALLOW_INSECURE: 'cookies' },
      ROLE,
      { secureCookies: false },
      'COOKIE_SECURE=false',
    ],
    [
      'trust in every proxy',
      { TRUST_PROXY: 'true', ALLOW_INSECURE: 'proxy' },
      ROLE,
      { trustedProxies: 'true' },
      'TRUST_PROXY=true',
    ],
  ])('warns of %s', (_what, variables, role, expected, warning) => {
    const posture = postureOf(testSettings({ ...SAFE, ...variables }), role);
    expect(posture).toMatchObject(expected);
    expect(posture.warnings).toEqual([expect.stringContaining(warning)]);
  });

  it('reports nothing about an unavailable database', () => {
    expect(postureOf(testSettings(SAFE), undefined)).toMatchObject({
      databaseRoles: null,
      bypassesRowLevelSecurity: null,
      warnings: [],
    });
  });
});
