import { PASSWORD, claimsOf } from '../../support/actors';
import { codeOf } from '../../support/answers';
import { TestApp } from '../../support/app';

/** Finding F16: what merely opens a mailed link must not use it up, nor sign anybody in. */
describe('with MAIL_LINKS=confirm', () => {
  let t: TestApp;
  beforeAll(async () => void (t = await TestApp.start({ env: { MAIL_LINKS: 'confirm' } })));
  afterAll(() => t.close());

  it('a verification link leads to a page of the web client, which sends the token', async () => {
    const email = 'ada@example.test';
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Ada' }).expect(201);
    const { text } = await t.mailbox.last(email);
    expect(text).toContain('http://localhost:5173/verify-email#token=');
    expect(text).not.toContain('/api/v1/');
    const confirm = (token: string) => t.api.post('/auth/verify-email').send({ token });
    const token = await t.mailbox.token(email);
    const { body, headers } = await confirm(token).expect(200);
    expect(claimsOf(body.data.accessToken).email).toBe(email);
    expect(String(headers['set-cookie'])).toContain('refresh_token=');
    expect(codeOf(await confirm(token).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
  });

  it('a magic link leads to a page of the web client, which sends the token', async () => {
    const { email } = await t.actors.user();
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    const { text } = await t.mailbox.last(email);
    expect(text).toContain('http://localhost:5173/sign-in#token=');
    expect(text).not.toContain('/api/v1/');
    const confirm = (token: string) => t.api.post('/auth/magic-link/verify').send({ token });
    const token = await t.mailbox.token(email);
    const { body, headers } = await confirm(token).expect(200);
    expect(claimsOf(body.data.accessToken).email).toBe(email);
    expect(String(headers['set-cookie'])).toContain('refresh_token=');
    expect(codeOf(await confirm(token).expect(400))).toBe('MAGIC_LINK_INVALID');
  });
});
