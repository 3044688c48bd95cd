import { TestApp } from '../../support/app';

const DAY_MS = 86_400_000;

describe('the addresses below /.well-known', () => {
  let t: TestApp;
  beforeAll(async () => {
    const contacts = 'mailto:security@example.com, https://example.com/report';
    t = await TestApp.start({
      env: { SECURITY_CONTACT: contacts, BASE_URL: 'https://api.example.com', FRONTEND_URL: 'https://example.com/app' },
    });
  });
  afterAll(() => t.close());

  const linesOfSecurityText = async () => (await t.http.get('/.well-known/security.txt').expect(200)).text.split('\n');
  const expiry = async () => {
    const expires = (await linesOfSecurityText()).find((line) => line.startsWith('Expires: '))!;
    return Date.parse(expires.slice('Expires: '.length)) - t.clock.now().getTime();
  };

  it('lead a password manager to the page on which a password is changed', async () => {
    const { headers } = await t.http.get('/.well-known/change-password').expect(302);
    expect(headers.location).toBe('https://example.com/app/account/security');
  });

  it('are 404 if unknown, as password managers check before they rely on the others', async () => {
    await t.http.get('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200').expect(404);
    await t.http.get('/.well-known/change-password/more').expect(404);
  });

  it('say where to report a vulnerability', async () => {
    const { headers } = await t.http.get('/.well-known/security.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(await linesOfSecurityText()).toEqual([
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'Preferred-Languages: en',
      'Canonical: https://api.example.com/.well-known/security.txt',
      '',
    ]);
  });

  it('say so for another half year at any time', async () => {
    expect(Math.round((await expiry()) / DAY_MS)).toBe(180);
    t.clock.advance((300 * DAY_MS) / 1000);
    expect(Math.round((await expiry()) / DAY_MS)).toBe(180);
  });

  it('do not, if nobody is named', async () => {
    const unnamed = await TestApp.start({ env: { WORKER: 'off' } });
    const { body } = await unnamed.http.get('/.well-known/security.txt').expect(404);
    expect(body.error.code).toBe('NOT_FOUND');
    await unnamed.close();
  });
});
