import { type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

/** The body of a new project. */
const NEW = { name: '  Difference Engine ' };
/** What a response shows of it. */
const SHOWN = { name: 'Difference Engine', archived: false };
/** The fields without which no project is created. */
const REQUIRED: readonly (keyof typeof NEW)[] = ['name'];
/** A change of every field. */
const CHANGES = { name: 'Jacquard', archived: true };
/** Values at a limit. */
const ACCEPTED = [{ name: 'x'.repeat(100) }];
/** Bodies that are refused, with the field that the response names. */
const REFUSED: readonly [object, string][] = [
  [{ name: '' }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 7 }, 'name'],
  [{ name: null }, 'name'],
  [{ archived: 'yes' }, 'archived'],
  [{ archived: null }, 'archived'],
];

describe('projects', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(() => t.close());

  const PATH = '/tenants/current/projects';
  const post = (body: object) => t.api.post(PATH).set(owner.bearer).send(body);
  const create = async (body: object = NEW) => (await post(body).expect(200)).body.data as { id: string };

  it('are created, shown and listed, newest first', async () => {
    const first = await create();
    expect(first).toEqual({ id: expect.any(String), ...SHOWN, createdAt: expect.stringMatching(/Z$/) });
    const second = await create();
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

  it('are changed field by field; omitted fields stay unchanged', async () => {
    const { id } = await create();
    const change = async (body: object) =>
      (await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(body).expect(200)).body.data as object;
    let expected: object = SHOWN;
    for (const [field, value] of Object.entries(CHANGES)) {
      expected = { ...expected, [field]: value };
      expect(await change({ [field]: value })).toMatchObject(expected);
    }
    expect(expected).toEqual(CHANGES);
    expect(await change({})).toMatchObject(CHANGES);
  });

  it('are deleted, once', async () => {
    const { id } = await create();
    const remove = () => t.api.delete(`${PATH}/${id}`).set(owner.bearer);
    const responses = await Promise.all([remove(), remove(), remove()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await t.api.get(`${PATH}/${id}`).set(owner.bearer).expect(404);
    await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(CHANGES).expect(404);
  });

  it('are refused without the permission', async () => {
    const { id } = await create();
    const reader = await t.actors.member(owner, ['tenant.projects.read']);
    const outsider = await t.actors.member(owner, ['tenant.settings.read']);
    await t.api.get(`${PATH}/${id}`).set(reader.bearer).expect(200);
    for (const request of [
      t.api.post(PATH).send(NEW),
      t.api.patch(`${PATH}/${id}`).send(CHANGES),
      t.api.delete(`${PATH}/${id}`),
    ]) {
      expect((await request.set(reader.bearer).expect(403)).body.error.code).toBe('FORBIDDEN');
    }
    for (const path of [PATH, `${PATH}/${id}`]) await t.api.get(path).set(outsider.bearer).expect(403);
    await t.api.get(PATH).expect(401);
  });

  it('accept values up to the limits and refuse others, and ids that are no UUIDs', async () => {
    const { id } = await create();
    for (const body of ACCEPTED) await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(body).expect(200);
    for (const [body, field] of REFUSED) {
      const response = await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(body).expect(400);
      expect(response.body.error.details).toHaveProperty(field);
      if (field in NEW) await post({ ...NEW, ...body }).expect(400);
    }
    await t.api.get(`${PATH}/7`).set(owner.bearer).expect(400);
  });

  it('need no more than the required fields', async () => {
    const required = Object.fromEntries(REQUIRED.map((field) => [field, NEW[field]]));
    await create(required);
    for (const field of REQUIRED) {
      expect((await post({ ...NEW, [field]: undefined }).expect(400)).body.error.details).toHaveProperty(field);
    }
  });
});
