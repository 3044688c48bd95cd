import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import supertest from 'supertest';
import { catcherPage } from './catcher-page';
import { WebhookCatcher, type ShownRequest } from './webhook-catcher';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const BODY = JSON.stringify({ type: 'project.created', data: { name: 'Größe' } });

describe('the webhook catcher', () => {
  let catcher: WebhookCatcher;
  let api: ReturnType<typeof supertest>;
  beforeEach(() => {
    catcher = new WebhookCatcher();
    api = supertest(express().use(catcherPage(catcher)));
  });

  const send = (secret?: string, path = 'acme') => {
    const now = new Date();
    const signature = secret && new Webhook(secret).sign('m1', now, BODY);
    const headers = signature && {
      'webhook-id': 'm1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': `v1,bm9uZQ== ${signature} v1a,bm9uZQ==`,
    };
    return api
      .post(`/webhooks/catch/${path}`)
      .set({ 'Content-Type': 'application/json', ...headers })
      .send(BODY);
  };
  const shown = async () => (await api.get('/webhooks/requests.json').expect(200)).body.requests as ShownRequest[];
  const trust = async (secret?: string) =>
    (await api.post('/webhooks/secrets').send({ secret }).expect(200)).body.isSecret as boolean;
  const answer = (body: object) => api.put('/webhooks/answer').send(body);

  it('keeps requests with their headers and bodies, newest first, and the last hundred', async () => {
    await send(undefined, 'first').expect(200);
    await send(undefined, 'a/b').expect(200);
    expect(await shown()).toMatchObject([
      { path: '/webhooks/catch/a/b', body: BODY, answer: 'ok', headers: { 'content-type': 'application/json' } },
      { path: '/webhooks/catch/first' },
    ]);
    for (let more = 0; more < 120; more++) catcher.catch('/webhooks/catch/more', {}, '');
    expect((await shown()).map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => 122 - index));
    await api.delete('/webhooks/requests.json').expect(200);
    expect(await shown()).toEqual([]);
  });

  it('says whether a signature fits a secret, also one that is given later', async () => {
    await send(SECRET).expect(200);
    await send().expect(200);
    const states = async () => (await shown()).map(({ signature }) => signature);
    expect(await states()).toEqual(['missing', 'unknown']);
    expect(await trust(OTHER)).toBe(true);
    expect(await states()).toEqual(['missing', 'wrong']);
    expect(await trust(` ${SECRET} `)).toBe(true);
    expect(await states()).toEqual(['missing', 'verified']);
    for (const secret of [
      '',
      'whsec_',
      'whpk_abc',
      undefined,
      `${SECRET}\n${OTHER}`,
      'whsec_a-_aaaaaaaaaaaaaaaaaaaaaa',
    ])
      expect(await trust(secret)).toBe(false);
    expect(JSON.stringify(await shown())).not.toContain('whsec_');
  });

  it('fails on demand for the next requests, or until it is switched back', async () => {
    await answer({ answer: 'error', count: 2 }).expect(200);
    for (const status of [500, 500, 200]) await send().expect(status);
    await answer({ answer: 'gone' }).expect(200);
    for (let time = 1; time <= 3; time++) await send().expect(410);
    expect((await answer({ answer: 'redirect', count: 1 }).expect(200)).body).toEqual({ answer: 'redirect', left: 1 });
    await send().expect(307).expect('Location', '/webhooks/catch/redirected');
    await send().expect(200);
    expect((await shown()).map((request) => request.answer).slice(0, 3)).toEqual(['ok', 'redirect', 'gone']);
    for (const wrong of [{ answer: 'late' }, { answer: 'error', count: 0 }, { answer: 'error', count: '2' }, {}])
      await answer(wrong).expect(400);
  });

  it('leaves a request open when it hangs', async () => {
    await answer({ answer: 'hang', count: 1 }).expect(200);
    await expect(send().timeout(200)).rejects.toThrow(/Timeout/);
    await send().expect(200);
  });

  it('keeps secrets over a restart in a file that others cannot read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-catcher-'));
    const file = join(folder, 'secrets');
    expect(new WebhookCatcher(file).trust(SECRET)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const now = new Date();
    const restarted = new WebhookCatcher(file);
    const time = String(Math.floor(now.getTime() / 1000));
    const headers = { 'webhook-id': 'm', 'webhook-timestamp': time };
    restarted.catch('/', { ...headers, 'webhook-signature': new Webhook(SECRET).sign('m', now, '{}') }, '{}');
    expect(restarted.requests).toMatchObject([{ signature: 'verified' }]);
    rmSync(folder, { recursive: true });
  });

  it('refuses what is larger than a megabyte, and has no other pages', async () => {
    await api.post('/webhooks/catch/acme').type('text').send('x'.repeat(1_100_000)).expect(413);
    expect(await shown()).toEqual([]);
    await api.get('/webhooks').expect(200).expect('Content-Type', /html/);
    await api.get('/webhooks/catch/acme').expect(404);
  });
});
