import { MINUTE } from '../../../src/platform/clock';
import { publicEvents } from '../../../src/platform/public-events';
import { databaseDump } from '../../support/database-dump';
import { PASSWORD, type Member } from '../../support/actors';
import { newServiceKey } from '../../support/api-keys';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { markVerified } from '../../support/verified-endpoint';
import { untilNoJobIsLeft } from '../../support/job-queue';

const PATH = '/tenants/current/webhooks';
const URL = 'https://receiver.example/hooks?key=path-secret';
const STOPPED = 'An operator of the service disabled the receiver at this host. Contact support.';

describe('webhook endpoints', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const create = (body: object = { url: URL }, by = owner) => t.api.post(PATH).set(by.bearer).send(body);
  const created = async (body?: object, by?: Member) =>
    (await create(body, by).expect(200)).body.data as { id: string; secret: string; publicKey: string };
  const typesOf = async ({ tenantId }: Member) =>
    (
      await t.database.query<{ types: string[] | null }>('SELECT webhook_types AS types FROM tenants WHERE id = $1', [
        tenantId,
      ])
    )[0].types;

  it('are created with a secret that is shown once', async () => {
    const body = { url: URL, description: 'Warehouse', types: ['project.created', 'member.joined'] };
    const { secret, ...shown } = await created(body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({ ...body, publicKey: expect.stringMatching(/^whpk_/) as string, disabledAt: null });
    expect(shown).toMatchObject({ createdBy: owner.user.id });
    const one = await t.api.get(`${PATH}/${shown.id}`).set(owner.bearer).expect(200);
    const failingSince = null; // its host does not exist
    expect({ ...one.body.data, failingSince }).toEqual({ ...shown, verifiedAt: null });
    const list = await t.api.get(PATH).set(owner.bearer).expect(200);
    expect(list.body.data.items).toMatchObject([{ id: shown.id, ...body }]);
    await t.api.delete(`${PATH}/${shown.id}`).set(owner.bearer).expect(200);
    await t.api.get(`${PATH}/${shown.id}`).set(owner.bearer).expect(404);
  });

  it('need the permission, which Admins have and Members lack', async () => {
    const [admin, member] = [await t.actors.member(owner, 'Admin'), await t.actors.member(owner, 'Member')];
    const { id } = await created(undefined, admin);
    await t.api.get(PATH).set(admin.bearer).expect(200);
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/deliveries`])
      expect(codeOf(await t.api.get(path).set(member.bearer).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await create(undefined, member).expect(403))).toBe('FORBIDDEN');
    await t.api.delete(`${PATH}/${id}`).set(owner.bearer).expect(200);
  });

  it('need a fresh proof of the identity to be created, changed, given a new secret and deleted', async () => {
    const other = await t.actors.owner();
    const { id } = await created(undefined, other);
    t.clock.advance(10 * MINUTE + 1);
    const older = { ...(await t.actors.refreshed(other)), tenantId: other.tenantId };
    const asked = () => [
      create(undefined, older),
      t.api.patch(`${PATH}/${id}`).set(older.bearer).send({ url: 'https://attacker.example/' }),
      t.api.post(`${PATH}/${id}/rotate-secret`).set(older.bearer).send({}),
      t.api.delete(`${PATH}/${id}`).set(older.bearer),
    ];
    for (const request of asked()) expect(codeOf(await request.expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.post('/auth/step-up').set(older.bearer).send({ password: PASSWORD }).expect(200);
    for (const request of asked()) await request.expect(200);
    await t.api.get(`${PATH}/${id}`).set(older.bearer).expect(404);
    owner = { ...(await t.actors.refreshed(owner)), tenantId: owner.tenantId };
    await t.actors.stepUp(owner);
  });

  it.each(['webhooks', 'audit-streams'])('are deleted and disabled by people, not by keys (%s)', async (kind) => {
    const business = await t.actors.owner({ plan: 'Business' });
    const key = await newServiceKey(t, business, ['tenant.webhooks.manage', 'tenant.audit.stream']);
    const { body } = await t.api.post(`/tenants/current/${kind}`).set(business.bearer).send({ url: URL }).expect(200);
    const path = `/tenants/current/${kind}/${body.data.id as string}`;
    const asked = [t.api.delete(path).set(key.bearer), t.api.patch(path).set(key.bearer).send({ enabled: false })];
    for (const request of asked) expect(codeOf(await request.expect(403))).toBe('API_KEY_NOT_ALLOWED');
    await t.api.get(path).set(key.bearer).expect(200);
    await t.api.delete(path).set(business.bearer).expect(200);
  });

  it.each([
    ['http://receiver.example/', 'The address must begin with https://.'],
    ['https://127.0.0.1/', 'The host must not be an internal address.'],
    ['https://169.254.169.254/', 'The host must not be an internal address.'],
    ['https://0x7f000001/', 'The host must not be an internal address.'],
    ['https://[::ffff:10.0.0.1]/', 'The host must not be an internal address.'],
    ['https://user:pw@receiver.example/', 'The address must not contain a user or password.'],
    ['https://receiver.example:22/', 'The port must be 443, or 1024 or higher.'],
    ['receiver.example', 'The address is not a URL.'],
  ])('cannot be at %s, neither at first nor later', async (url, message) => {
    const { id } = await created();
    for (const refused of [await create({ url }), await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send({ url })]) {
      expect([refused.status, refused.body.error]).toEqual([400, { code: 'WEBHOOK_URL_NOT_ALLOWED', message }]);
    }
    await t.api.delete(`${PATH}/${id}`).set(owner.bearer).expect(200);
  });

  it('get known types only', async () => {
    for (const types of [['project.lost'], [], 'project.created', ['webhook.test']])
      expect(codeOf(await create({ url: URL, types }).expect(400))).toBe('VALIDATION_ERROR');
    const { body } = await t.api.get('/webhook-event-types').set(owner.bearer).expect(200);
    expect(body.data.types).toHaveLength(publicEvents().length);
    expect(body.data.types).toContainEqual({
      type: 'project.created',
      summary: 'A project was created',
      schema: 'ProjectView',
      permission: 'tenant.projects.read',
    });
  });

  it('have a rate between 1 and 100 a second, or none', async () => {
    for (const perSecond of [0, 101, 1.5, '3'])
      expect(codeOf(await create({ url: URL, perSecond }).expect(400))).toBe('VALIDATION_ERROR');
    const { id } = await created({ url: URL, perSecond: 100 });
    const change = async (changes: object) =>
      (await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(changes).expect(200)).body.data.perSecond as unknown;
    expect(await change({ description: 'Slow' })).toBe(100);
    expect(await change({ perSecond: 1 })).toBe(1);
    expect(await change({ perSecond: null })).toBeNull();
    await t.api.delete(`${PATH}/${id}`).set(owner.bearer).expect(200);
  });

  it('are at most ten, also if several are created at the same time', async () => {
    const other = await t.actors.owner();
    for (let i = 0; i < 8; i++) await created(undefined, other);
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(undefined, other)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(codeOf)).toEqual(['LIMIT_REACHED', 'LIMIT_REACHED']);
  });

  it('tell their tenant which types they get', async () => {
    const other = await t.actors.owner();
    expect(await typesOf(other)).toBeNull();
    const first = await created({ url: URL, types: ['project.created'] }, other);
    const second = await created({ url: URL, types: ['member.joined', 'project.created'] }, other);
    expect(await typesOf(other)).toBeNull();
    for (const one of [first, second]) await markVerified(t, one);
    await t.api.patch(`${PATH}/${first.id}`).set(other.bearer).send({ description: 'First' }).expect(200);
    expect((await typesOf(other))?.sort()).toEqual(['member.joined', 'project.created']);
    await t.api.patch(`${PATH}/${first.id}`).set(other.bearer).send({ types: null }).expect(200);
    expect(await typesOf(other)).toEqual(['*']);
    await t.api.delete(`${PATH}/${first.id}`).set(other.bearer).expect(200);
    expect((await typesOf(other))?.sort()).toEqual(['member.joined', 'project.created']);
    await t.api.delete(`${PATH}/${second.id}`).set(other.bearer).expect(200);
    expect(await typesOf(other)).toBeNull();
  });

  it('keep their secrets out of tables, jobs, logs and the audit log', async () => {
    const first = await created();
    const { body } = await t.api.post(`${PATH}/${first.id}/rotate-secret`).set(owner.bearer).send({}).expect(200);
    const second = body.data as { secret: string; publicKey: string };
    expect(second.secret).not.toBe(first.secret);
    expect(second.publicKey).not.toBe(first.publicKey);
    await markVerified(t, first);
    await t.api.post(`${PATH}/${first.id}/test`).set(owner.bearer).expect(200);
    await untilNoJobIsLeft(t);
    const dump = (await databaseDump(t.database)).join('\n');
    for (const secret of [first.secret, second.secret].map((text) => text.slice('whsec_'.length))) {
      expect(dump).not.toContain(secret);
      expect(t.logLines.join('\n')).not.toContain(secret);
    }
    const audit = dump.split('\n').filter((row) => row.startsWith('audit_log:'));
    expect(audit.join('\n')).toContain('webhook-endpoint.secret-rotated');
    expect(audit.join('\n')).not.toContain('path-secret');
    await t.api.delete(`${PATH}/${first.id}`).set(owner.bearer).expect(200);
  });

  it('are reported to who created, moved or deleted them, and to the Owner, with the host only', async () => {
    const other = await t.actors.owner({ tenantName: 'Engines' });
    const admin = await t.actors.member(other, 'Admin', { name: 'Charles' });
    const { id } = await created(undefined, admin);
    const change = (body: object) => t.api.patch(`${PATH}/${id}`).set(admin.bearer).send(body).expect(200);
    await change({ description: 'Warehouse' });
    await change({ url: URL });
    const told = async (happened: string, host: string) => {
      const subject = `A webhook endpoint of Engines was ${happened}`;
      const [own, ofOwner] = [admin, other].map(({ user }) => t.mailbox.titled(user.email, subject));
      expect((await own).text).toMatch(new RegExp(`with your account[^]*${host}[^]*secure-account#token=`));
      expect((await ofOwner).text).toMatch(
        new RegExp(`${happened} by Charles[^]*${host}[^]*/webhooks\\?tenant=${other.tenantId}`),
      );
      for (const mail of [await own, await ofOwner]) expect(mail.text + mail.html).not.toMatch(/path-secret|\/hooks/);
    };
    await told('created', 'receiver.example');
    await change({ url: 'https://attacker.example/path-secret' });
    await told('moved', 'attacker.example');
    await t.api.delete(`${PATH}/${id}`).set(admin.bearer).expect(200);
    await told('deleted', 'attacker.example');
    await created(undefined, other);
    await untilNoJobIsLeft(t);
    const ofPerson = ({ user }: Member) => t.mailbox.to(user.email).filter(({ subject }) => /endpoint/.test(subject));
    expect([admin, other].map((person) => ofPerson(person).length)).toEqual([3, 4]);
  });

  it.each([
    ['webhooks', 'webhook-endpoints'],
    ['audit-streams', 'audit-streams'],
  ])('are refused, like audit streams, at a host at which an operator has disabled one (%s)', async (own, listed) => {
    const [business, foreign] = [await t.actors.owner({ plan: 'Business' }), await t.actors.owner()];
    const admin = await t.actors.admin();
    const add = (kind: string, host: string, by = business) =>
      t.api
        .post(`/tenants/current/${kind}`)
        .set(by.bearer)
        .send({ url: `https://${host}/` });
    const operate = (action: string) => t.api.post(`/admin/${listed}/${stopped}/${action}`).set(admin.bearer);
    const stopped = (await add(own, 'stopped.example').expect(200)).body.data.id as string;
    await operate('disable').expect(200);
    const kinds = ['webhooks', 'audit-streams'];
    for (const kind of kinds) {
      const refused = await add(kind, 'stopped.example').expect(409);
      expect([codeOf(refused), refused.body.error.message]).toEqual(['CONFLICT', STOPPED]);
      const other = (await add(kind, 'other.example').expect(200)).body.data.id as string;
      const path = `/tenants/current/${kind}/${other}`;
      const move = t.api.patch(path).set(business.bearer).send({ url: 'https://stopped.example/hooks' });
      expect(codeOf(await move.expect(409))).toBe('CONFLICT');
      await t.api.delete(path).set(business.bearer).expect(200);
    }
    await add('webhooks', 'stopped.example', foreign).expect(200);
    await operate('enable').expect(200);
    for (const kind of kinds) await add(kind, 'stopped.example').expect(200);
  });

  it('of another tenant are not found', async () => {
    const other = await t.actors.owner();
    const { id } = await created(undefined, other);
    await t.api.get(`${PATH}/${id}`).set(owner.bearer).expect(404);
    await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send({ enabled: false }).expect(404);
    await t.api.delete(`${PATH}/${id}`).set(owner.bearer).expect(404);
    for (const path of ['test', 'rotate-secret'])
      await t.api.post(`${PATH}/${id}/${path}`).set(owner.bearer).send({}).expect(404);
    await t.api.get(`${PATH}/${id}/deliveries`).set(owner.bearer).expect(404);
  });
});
