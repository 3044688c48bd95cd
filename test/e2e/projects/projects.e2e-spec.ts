import { type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('projects', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(() => t.close());

  const PATH = '/tenants/current/projects';
  const create = async (name: string, by = owner) =>
    (await t.api.post(PATH).set(by.bearer).send({ name }).expect(200)).body.data as { id: string };

  it('are created, shown and listed, newest first', async () => {
    const first = await create('  Difference Engine ');
    expect(first).toEqual({
      id: expect.any(String),
      name: 'Difference Engine',
      archived: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    const second = await create('Analytical Engine');
    expect((await t.api.get(`${PATH}/${first.id}`).set(owner.bearer).expect(200)).body.data).toEqual(first);
    expect((await t.api.get(PATH).set(owner.bearer).expect(200)).body.data).toEqual({
      items: [second, first],
      nextCursor: null,
    });
    const page = (await t.api.get(`${PATH}?limit=1`).set(owner.bearer).expect(200)).body.data;
    expect(
      (await t.api.get(PATH).query({ cursor: page.nextCursor }).set(owner.bearer).expect(200)).body.data.items,
    ).toEqual([first]);
  });

  it('are renamed and archived; omitted fields stay unchanged', async () => {
    const { id } = await create('Loom');
    const change = (body: object) => t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(body);
    expect((await change({ archived: true }).expect(200)).body.data).toMatchObject({ name: 'Loom', archived: true });
    expect((await change({ name: 'Jacquard' }).expect(200)).body.data).toMatchObject({
      name: 'Jacquard',
      archived: true,
    });
    expect((await change({}).expect(200)).body.data).toMatchObject({ name: 'Jacquard', archived: true });
    for (const [body, field] of [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ archived: 'yes' }, 'archived'],
      [{ archived: null }, 'archived'],
    ] as const) {
      expect((await change(body).expect(400)).body.error.details).toHaveProperty(field);
    }
  });

  it('are deleted, once', async () => {
    const { id } = await create('Gone');
    const remove = () => t.api.delete(`${PATH}/${id}`).set(owner.bearer);
    const answers = await Promise.all([remove(), remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await t.api.get(`${PATH}/${id}`).set(owner.bearer).expect(404);
    await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send({ name: 'x' }).expect(404);
  });

  it('are refused without the permission', async () => {
    const { id } = await create('Closed');
    const reader = await t.actors.member(owner, ['tenant.projects.read']);
    const outsider = await t.actors.member(owner, ['tenant.settings.read']);
    await t.api.get(`${PATH}/${id}`).set(reader.bearer).expect(200);
    for (const request of [
      t.api.post(PATH).send({ name: 'x' }),
      t.api.patch(`${PATH}/${id}`).send({ name: 'x' }),
      t.api.delete(`${PATH}/${id}`),
    ]) {
      expect((await request.set(reader.bearer).expect(403)).body.error.code).toBe('FORBIDDEN');
    }
    for (const path of [PATH, `${PATH}/${id}`]) await t.api.get(path).set(outsider.bearer).expect(403);
    await t.api.get(PATH).expect(401);
  });

  it('require a name of 1 to 100 characters, and ids that are UUIDs', async () => {
    for (const name of ['', ' ', 'x'.repeat(101), 7, undefined])
      await t.api.post(PATH).set(owner.bearer).send({ name }).expect(400);
    await create('x'.repeat(100));
    await t.api.get(`${PATH}/7`).set(owner.bearer).expect(400);
  });
});
