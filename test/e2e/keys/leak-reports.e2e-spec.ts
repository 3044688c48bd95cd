import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiKeyRepository } from '../../../src/keys/data/api-key.repository';
import { newKeyToken } from '../../../src/keys/domain/key-token';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { ok } from '../../../src/platform/result';
import { newPersonalToken, newServiceKey } from '../../support/api-keys';
import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const URL_OF_LEAK = 'https://github.com/octocat/Hello-World/blob/main/foo.txt';
const READ = ['tenant.projects.read'] as const;

/** A key of GitHub, with the id under which it is published. */
const newSigner = (id: string) => ({ id: id.repeat(64), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
type Signer = ReturnType<typeof newSigner>;

describe('reports of leaked keys', () => {
  const [first, next, stranger] = ['a', 'b', 'c'].map(newSigner);
  let published: Signer[];
  let readings = 0;
  let isDown = false;
  let github: Server;
  let t: TestApp;
  let second: TestApp;
  let owner: Member;
  beforeAll(async () => {
    published = [first];
    github = createServer((_request, response) => {
      readings++;
      if (isDown) return response.writeHead(500).end();
      const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' });
      const keys = published.map(({ id, publicKey }) => ({
        key_identifier: id,
        key: pem(publicKey),
        is_current: true,
      }));
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ public_keys: keys }));
    });
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
    const env = { GITHUB_LEAK_KEYS_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}/keys` };
    t = await TestApp.start({ env });
    second = await TestApp.start({ beside: t, env: { ...env, WORKER: 'off' } });
    owner = await t.actors.owner({ plan: 'Pro', tenantName: 'Engines' });
  });
  afterAll(async () => {
    await second.close();
    await t.close();
    github.close();
  });

  const itemOf = (token: string, url = URL_OF_LEAK) => ({ token, type: 'key', url, source: 'commit' });
  const report = (body: unknown, { by = first, signed = body, app = t } = {}) => {
    const text = JSON.stringify(body);
    const signature = sign('sha256', Buffer.from(JSON.stringify(signed)), by.privateKey).toString('base64');
    return app.api
      .post('/leaks/github')
      .set({ 'Github-Public-Key-Identifier': by.id, 'Github-Public-Key-Signature': signature })
      .set('Content-Type', 'application/json')
      .send(text);
  };
  const read = (by: Bearer, app = t) => app.api.get('/tenants/current/projects').set(by.bearer);
  const leaksOf = (id: string) =>
    t.database.query<{ data: object }>(
      `SELECT data FROM audit_log WHERE action = 'api-key.leaked' AND target_id = $1`,
      [id],
    );

  it('revoke the keys on every instance within a second, once, and tell those whom it concerns', async () => {
    const [admin, member] = [await t.actors.member(owner, 'Admin'), await t.actors.member(owner)];
    const service = await newServiceKey(t, admin, [...READ]);
    const personal = await newPersonalToken(t, member, [...READ]);
    const other = await newServiceKey(t, owner, [...READ]);
    for (const key of [service, personal, other]) await read(key, second).expect(200);
    const found = [itemOf(service.key), itemOf(personal.key, 'https://evil.example/'), itemOf('ghp_something')];
    const answers = await Promise.all([report(found), report(found, { app: second })]);
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { success: true, data: null }]);
    for (const key of [service, personal]) {
      const refused = async () => ((await read(key, second)).status === 401 ? true : undefined);
      await eventually(refused, 'the refusal', 1000);
      expect(codeOf(await read(key).expect(401))).toBe('API_KEY_REVOKED');
    }
    await read(other, second).expect(200);
    expect(await leaksOf(service.id)).toMatchObject([{ data: { url: URL_OF_LEAK, source: 'commit' } }]);
    expect(await leaksOf(personal.id)).toMatchObject([{ data: { url: null } }]);
    for (const { user } of [owner, admin])
      expect((await t.mailbox.titled(user.email, 'A leaked key of Engines was revoked')).text).toContain(URL_OF_LEAK);
    const mail = await t.mailbox.titled(member.user.email, 'A leaked key of Engines was revoked');
    expect(mail.text).not.toContain('evil.example');
  });

  it('lock several keys in the order in which their uses are saved, so that there is no deadlock', async () => {
    const keys = t.nest.get(ApiKeyRepository, { strict: false });
    const unitOfWork = t.nest.get(UnitOfWork, { strict: false });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await newServiceKey(t, owner, [...READ])).id);
    const hashes = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
    // by hash and in the table, they are in the reverse order of their ids
    for (const [i, id] of ids.toReversed().entries())
      await t.database.query('UPDATE api_keys SET token_hash = $2 WHERE id = $1', [id, hashes[i]]);
    let attempts = 0;
    const change = (work: () => Promise<unknown>) =>
      unitOfWork.acrossTenants(async () => {
        attempts++;
        await work();
        return ok();
      });
    const now = t.clock.now();
    const uses = ids.map((id) => ({ tenantId: owner.tenantId, id, at: now }));
    const both = () => Promise.all([change(() => keys.saveUses(uses)), change(() => keys.revokeByHash(hashes, now))]);
    await t.database.inTheMidstOf('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [ids[1]], both, 2);
    expect(attempts).toBe(2); // a deadlock would repeat one
    const left = 'SELECT FROM api_keys WHERE id = ANY($1) AND (revoked_at IS NULL OR last_used_at IS NULL)';
    expect(await t.database.query(left, [ids])).toEqual([]);
  });

  it('answer the same for keys that do not exist', async () => {
    const { body } = await report([itemOf(newKeyToken('tn', 'service'))]).expect(200);
    expect(body).toEqual({ success: true, data: null });
    await report([]).expect(200);
  });

  it('are refused without the signature of GitHub', async () => {
    const key = await newServiceKey(t, owner, [...READ]);
    const found = [itemOf(key.key)];
    const forged = { ...first, privateKey: stranger.privateKey };
    const id = { 'Github-Public-Key-Identifier': first.id };
    for (const refused of [
      report(found, { by: forged }),
      report(found, { signed: [] }),
      report(found, { by: stranger }),
      t.api.post('/leaks/github').send(found),
      t.api.post('/leaks/github').set(id).set('Github-Public-Key-Signature', 'x').send(found),
      t.api.post('/leaks/github').set(id).set('Github-Public-Key-Signature', 'A'.repeat(96)).send(found),
    ])
      expect(codeOf(await refused.expect(400))).toBe('INVALID_SIGNATURE');
    await read(key).expect(200);
    expect(codeOf(await report({ token: key.key }).expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await report(['x'.repeat(1_100_000)]).expect(413))).toBe('PAYLOAD_TOO_LARGE');
  });

  it('read the public keys of GitHub again for an unknown one, at most every ten minutes', async () => {
    t.clock.advance(10 * MINUTE);
    const before = readings;
    for (let i = 0; i < 3; i++) expect(codeOf(await report([], { by: next }).expect(400))).toBe('INVALID_SIGNATURE');
    expect(readings).toBe(before + 1);
    published = [next, first];
    await report([], { by: next }).expect(400);
    t.clock.advance(9 * MINUTE);
    await report([], { by: next }).expect(400);
    t.clock.advance(MINUTE);
    await report([], { by: next }).expect(200);
    isDown = true;
    t.clock.advance(10 * MINUTE);
    await report([], { by: stranger }).expect(400);
    await report([], { by: next }).expect(200);
    t.clock.advance(2 * DAY - 11 * MINUTE);
    await report([], { by: next }).expect(200);
    t.clock.advance(MINUTE);
    expect(codeOf(await report([], { by: next }).expect(503))).toBe('UNAVAILABLE');
    isDown = false;
    t.clock.advance(MINUTE);
    await report([], { by: next }).expect(200);
  });

  it('are not accepted without the setting, and not answered until the public keys could be read', async () => {
    const without = await TestApp.start({ env: { WORKER: 'off' } });
    expect(codeOf(await report([], { app: without }).expect(404))).toBe('NOT_FOUND');
    await without.close();
    const env = { GITHUB_LEAK_KEYS_URL: 'http://127.0.0.1:9/', WORKER: 'off' };
    const deaf = await TestApp.start({ beside: t, env });
    expect(codeOf(await report([], { app: deaf }).expect(503))).toBe('UNAVAILABLE');
    await deaf.close();
  });
});
