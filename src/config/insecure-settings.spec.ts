import { InvalidSettings } from './read-environment';
import { readSettings } from './settings';
import { PRODUCTION, REQUIRED } from '../../test/support/settings';

function problemsOf(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings({ ...REQUIRED, ...PRODUCTION, ...variables });
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

describe('production', () => {
  it.each([
    ['no BASE_URL', { BASE_URL: '' }, 'http', 'BASE_URL is required in production'],
    ['no FRONTEND_URL', { FRONTEND_URL: '' }, 'http', 'FRONTEND_URL is required in production'],
    ['an unencrypted BASE_URL', { BASE_URL: 'http://api.tenantry.test' }, 'http', 'BASE_URL must begin with https://'],
    [
      'an unencrypted FRONTEND_URL',
      { FRONTEND_URL: 'http://app.tenantry.test' },
      'http',
      'FRONTEND_URL must begin with https://',
    ],
    [
      'a host that only looks local',
      { BASE_URL: 'http://localhost.tenantry.test' },
      'http',
      'BASE_URL must begin with https://',
    ],
    [
      'another host that only looks local',
      { BASE_URL: 'http://127.0.0.1.tenantry.test' },
      'http',
      'BASE_URL must begin with https://',
    ],
    [
      'unencrypted cookies',
      { COOKIE_SECURE: 'false' },
      'cookies',
      'COOKIE_SECURE=false sends cookies over unencrypted connections',
    ],
    [
      'trust in every proxy',
      { TRUST_PROXY: 'true' },
      'proxy',
      'TRUST_PROXY=true lets every client choose its address; give a number or a list',
    ],
    [
      'unencrypted mail',
      { SMTP_URL: 'smtp://u:p@mail.tenantry.test:587' },
      'smtp',
      'SMTP_URL must begin with smtps://, or end with ?requireTLS=true',
    ],
    [
      'optional encryption of mail',
      { SMTP_URL: 'smtp://mail.tenantry.test?requireTLS=false' },
      'smtp',
      'SMTP_URL must begin with smtps://, or end with ?requireTLS=true',
    ],
  ])('refuses %s, unless ALLOW_INSECURE names the exception', (_what, variables, exception, problem) => {
    expect(problemsOf(variables)).toEqual([`${problem} (allow it with ALLOW_INSECURE=${exception})`]);
    const others = ['http', 'cookies', 'proxy', 'smtp'].filter((word) => word !== exception).join(',');
    expect(problemsOf({ ...variables, ALLOW_INSECURE: others })).toHaveLength(1);
    expect(problemsOf({ ...variables, ALLOW_INSECURE: exception })).toEqual([]);
    expect(problemsOf({ ...variables, NODE_ENV: 'development' })).toEqual([]);
  });

  it.each([
    [
      'addresses of the same machine',
      { BASE_URL: 'http://localhost:3000', FRONTEND_URL: 'http://app.localhost:5173/app' },
      2,
    ],
    ['IP addresses of the same machine', { BASE_URL: 'http://127.0.0.1:3000', FRONTEND_URL: 'http://[::1]:5173' }, 2],
    ['a mail server on the same machine', { SMTP_URL: 'smtp://127.0.0.1:25' }, 1],
    ['a mail server with TLS from the start', { SMTP_URL: 'smtps://u:p@mail.tenantry.test' }, 0],
    ['a mail server with required STARTTLS', { SMTP_URL: 'smtp://u:p@mail.tenantry.test:587?requireTLS=true' }, 0],
    ['a number of proxies', { TRUST_PROXY: '1' }, 0],
  ])('accepts %s', (_what, variables, risks) => {
    expect(problemsOf(variables)).toEqual([]);
    const settings = readSettings({ ...REQUIRED, ...PRODUCTION, SMTP_URL: 'smtps://mail.tenantry.test', ...variables });
    expect(settings.risks).toEqual(Array.from({ length: risks }, () => expect.objectContaining({ isLocal: true })));
  });

  it('reports all problems at once', () => {
    const everything = {
      BASE_URL: '',
      FRONTEND_URL: 'http://a.test',
      COOKIE_SECURE: 'false',
      TRUST_PROXY: 'true',
      SMTP_URL: 'smtp://a.test',
    };
    expect(problemsOf(everything)).toHaveLength(5);
    expect(problemsOf({ ...everything, ALLOW_INSECURE: 'http, cookies,proxy ,smtp' })).toEqual([]);
  });

  it.each(['https', 'http;cookies', 'all', 'HTTP'])('rejects the exception %s', (ALLOW_INSECURE) => {
    expect(problemsOf({ ALLOW_INSECURE })).toEqual(['ALLOW_INSECURE must be a list of http, cookies, proxy, smtp']);
  });

  it.each([
    ['a host called example', 'postgres://tenantry:pw@db.example.com/example', []],
    ['a role called example', 'postgres://example:pw@localhost/tenantry', []],
    [
      'an example password',
      'postgres://tenantry:change-me@localhost/tenantry',
      ['DATABASE_URL still holds an example value'],
    ],
    [
      'an encoded example password',
      'postgres://tenantry:ch%61nge-me@localhost/tenantry',
      ['DATABASE_URL still holds an example value'],
    ],
    [
      'an example password as a parameter',
      'postgres://localhost/tenantry?user=tenantry&password=changeme',
      ['DATABASE_URL still holds an example value'],
    ],
    ['an unencoded percent sign', 'postgres://tenantry:p%@localhost/tenantry', []],
  ])('checks only secrets for example values: %s', (_what, DATABASE_URL, problems) =>
    expect(problemsOf({ DATABASE_URL })).toEqual(problems),
  );
});
