import express from 'express';
import supertest from 'supertest';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { findMails, serveMailGallery } from './mail-gallery';

describe('the mail gallery', () => {
  const app = express();
  serveMailGallery(app as unknown as NestExpressApplication);
  const get = (path: string) => supertest(app).get(path);

  it('lists exactly the mails that exist, with subject and text of each example', async () => {
    const { text: page } = await get('/mails').expect(200);
    const [, json] = /<script id="mails" [^>]+>([^<]+)<\/script>/.exec(page)!;
    const listed = JSON.parse(json) as { template: string; examples: { subject: string; text: string }[] }[];
    const mails = await findMails();
    expect(listed.map(({ template }) => template)).toEqual(mails.map(({ template }) => template));
    expect(listed.map(({ examples }) => examples.map(({ subject }) => subject))).toEqual(
      mails.map((mail) => mail.examples().map(({ mail: { subject } }) => subject)),
    );
    for (const { examples } of listed)
      for (const { text } of examples) expect(text).toMatch(/https:\/\/example\.com\/|\n\d{6}\n/); // a link or a code
  });

  it('shows each example in a sandbox', async () => {
    const { text, headers } = await get('/mails/tenants/mails/invitation/2').expect(200);
    expect(text).toContain('A former member invited you to join the workspace “Analytical Engines” as “Member”.');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'.* sandbox /);
  });

  it.each(['/mails/auth/mails/none/0', '/mails/auth/mails/magic-link/9', '/mails/auth/mails/magic-link'])(
    'has no page at %s',
    (path) => get(path).expect(404),
  );
});
