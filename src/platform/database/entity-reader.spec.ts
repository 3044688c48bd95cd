import { Column, DataSource, Entity, IsNull, MoreThanOrEqual, PrimaryColumn } from 'typeorm';
import { idOf, LARGEST_ID, pageOf, SMALLEST_ID } from '../pagination';
import { databaseOptions } from './database-options';
import { computed, EntityReader, withoutUndefined } from './entity-reader';
import { EVERY_TENANT, type TenantScope } from './tenant-scope';

@Entity('letters')
class Letter {
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('uuid') readonly tenantId!: string;
  @Column('text') readonly returnAddress!: string;
  @Column('timestamptz', { nullable: true }) readonly sentAt!: Date | null;
}

const SCOPE: TenantScope = { tenantId: '0197a1b2-0000-7000-8000-000000000001' };
const IDS = ['0197a1b2-0000-7000-8000-00000000000a', '0197a1b2-0000-7000-8000-00000000000b'];

/** A statement as it is sent. */
type Sent = readonly [method: string, ...sent: readonly unknown[]];

describe('EntityReader', () => {
  const source = new DataSource(databaseOptions('postgres://localhost/none', 1, [Letter]));
  let sent: Sent[];
  let response: object[];
  let reader: EntityReader;

  // TypeORM reads the decorators as it connects; the statements need no database
  beforeAll(() => (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas());

  beforeEach(() => {
    sent = [];
    response = [];
    const recorder =
      (method: string) =>
      (...given: unknown[]) => {
        sent.push([method, ...given]);
        return Promise.resolve(response);
      };
    const methods = ['query', 'read', 'queryInTenant', 'readInTenant'].map((method) => [method, recorder(method)]);
    reader = new EntityReader({ ...Object.fromEntries(methods), manager: source.manager });
  });

  const select = ['id', 'returnAddress'] as const;
  const SELECTED = 'SELECT "r"."id" AS "id", "r"."return_address" AS "returnAddress" FROM "letters" "r"';

  it('reads one row as it comes from the database, under the names of the properties', async () => {
    response = [{ id: IDS[0], returnAddress: 'here' }];
    expect(await reader.findOne(Letter, { select, where: { id: IDS[0] } })).toBe(response[0]);
    expect(sent).toEqual([['read', `${SELECTED} WHERE (("r"."id" = $1))`, [IDS[0]]]]);
  });

  it('returns undefined when no row matches', async () => {
    expect(await reader.findOne(Letter, { select, where: { id: IDS[0] } })).toBeUndefined();
  });

  it('reads an entity with all its columns', async () => {
    const row = { id: IDS[0], tenantId: IDS[1], returnAddress: 'here', sentAt: null };
    response = [row];
    const letter = await reader.findEntity(Letter, { scope: SCOPE, isFresh: true, where: { id: IDS[0] } });
    expect(letter).toBeInstanceOf(Letter);
    expect(letter).toEqual(row);
    expect(sent[0].slice(0, 2)).toEqual(['queryInTenant', SCOPE]);
    response = [];
    expect(await reader.findEntity(Letter, { where: { id: IDS[0] } })).toBeUndefined();
  });

  it.each([
    [{}, ['read']],
    [{ isFresh: true }, ['query']],
    [{ scope: SCOPE }, ['readInTenant', SCOPE]],
    [{ scope: EVERY_TENANT, isFresh: true }, ['queryInTenant', EVERY_TENANT]],
  ] as const)('sends %j by %j', async (how, begin) => {
    await reader.findOne(Letter, { select, where: { id: IDS[0] }, ...how });
    expect(sent[0].slice(0, -2)).toEqual(begin);
  });

  it('finds the first rows in an order, with one text for all limits', async () => {
    const where = { tenantId: IDS[0], sentAt: IsNull() };
    await reader.find(Letter, { select: ['id'], where, order: { returnAddress: 'ASC' }, limit: 7 });
    const condition = 'WHERE (("r"."tenant_id" = $1) AND ("r"."sent_at" IS NULL))';
    const sql = `SELECT "r"."id" AS "id" FROM "letters" "r" ${condition} ORDER BY "r"."return_address" ASC LIMIT $2`;
    expect(sent).toEqual([['read', sql, [IDS[0], 7]]]);
  });

  it('reads a page newest first and continues after its last row', async () => {
    response = IDS.toReversed().map((id) => ({ id, returnAddress: '' }));
    const rows = { scope: SCOPE, select, where: { tenantId: IDS[0] } };
    const page = await reader.findPage(Letter, rows, { limit: 1 });
    expect(page.items).toEqual([{ id: IDS[1], returnAddress: '' }]);
    expect(idOf(page.nextCursor!)).toBe(IDS[1]);
    expect(sent.pop()!.slice(2)).toEqual([
      `${SELECTED} WHERE (("r"."tenant_id" = $1)) AND "r"."id" < $2 ORDER BY "r"."id" DESC LIMIT $3`,
      [IDS[0], LARGEST_ID, 2],
    ]);
    response = [response[1]];
    const last = await reader.findPage(Letter, rows, { limit: 1, cursor: page.nextCursor! });
    expect(last).toEqual({ items: [{ id: IDS[0], returnAddress: '' }], nextCursor: null });
    expect(sent.pop()!.slice(2)).toEqual([
      `${SELECTED} WHERE (("r"."tenant_id" = $1)) AND "r"."id" < $2 ORDER BY "r"."id" DESC LIMIT $3`,
      [IDS[0], IDS[1], 2],
    ]);
  });

  it('reads a page oldest first, if it is ascending', async () => {
    const rows = { select, where: { tenantId: IDS[0] }, isAscending: true };
    const condition = 'WHERE (("r"."tenant_id" = $1)) AND "r"."id" > $2';
    for (const [cursor, after] of [
      [undefined, SMALLEST_ID],
      [
        pageOf(
          IDS.map((id) => ({ id })),
          1,
        ).nextCursor!,
        IDS[0],
      ],
    ]) {
      await reader.findPage(Letter, rows, { limit: 1, cursor });
      expect(sent.pop()).toEqual([
        'read',
        `${SELECTED} ${condition} ORDER BY "r"."id" ASC LIMIT $3`,
        [IDS[0], after, 2],
      ]);
    }
  });

  it('reads values that PostgreSQL computes, from expressions and from sub-queries', async () => {
    const row = await reader.findOne(Letter, {
      select: ['id'],
      computed: {
        isSent: computed<boolean>('r.sentAt IS NOT NULL'),
        others: computed<number>((query) =>
          query.select('count(*)::int').from(Letter, 'l').where('l.returnAddress = r.returnAddress'),
        ),
      },
      where: { id: IDS[0] },
    });
    const others = '(SELECT count(*)::int FROM "letters" "l" WHERE "l"."return_address" = "r"."return_address")';
    const list = `"r"."id" AS "id", "r"."sent_at" IS NOT NULL AS "isSent", ${others} AS "others"`;
    expect(sent).toEqual([['read', `SELECT ${list} FROM "letters" "r" WHERE (("r"."id" = $1))`, [IDS[0]]]]);
    // @ts-expect-error: it is a boolean
    const isSent: string | undefined = row?.isSent;
    const count: number | undefined = row?.others;
    expect([isSent, count]).toEqual([undefined, undefined]);
  });

  it('keeps a condition on the id beside the cursor', async () => {
    const cursor = pageOf([{ id: IDS[1] }, { id: IDS[0] }], 1).nextCursor!;
    await reader.findPage(Letter, { select, where: { id: MoreThanOrEqual(IDS[0]) } }, { limit: 1, cursor });
    const condition = 'WHERE (("r"."id" >= $1)) AND "r"."id" < $2';
    expect(sent).toEqual([['read', `${SELECTED} ${condition} ORDER BY "r"."id" DESC LIMIT $3`, [...IDS, 2]]]);
  });

  it('counts', async () => {
    response = [{ count: 3 }];
    expect(await reader.count(Letter, { where: { tenantId: IDS[0] } })).toBe(3);
    const sql = 'SELECT count(*)::int AS "count" FROM "letters" "r" WHERE (("r"."tenant_id" = $1))';
    expect(sent).toEqual([['read', sql, [IDS[0]]]]);
  });

  it.each([undefined, null])('refuses %p as a condition, which would match every row or none', async (tenantId) => {
    const where = { tenantId } as unknown as { tenantId: string };
    await expect(reader.count(Letter, { where })).rejects.toThrow('tenantId');
    expect(sent).toEqual([]);
  });

  it('does not compile for a view with a field that is not read, or for a column that does not exist', async () => {
    interface LetterView {
      readonly id: string;
      readonly returnAddress: string;
    }
    const rows = { select: ['id'] as const, where: { id: IDS[0] } };
    // @ts-expect-error: returnAddress is not read
    const view: LetterView | undefined = await reader.findOne(Letter, rows);
    // @ts-expect-error: there is no such column
    const failed = reader.findOne(Letter, { select: ['nothing'], where: { id: IDS[0] } });
    // @ts-expect-error: the cursor is made of the id
    await reader.findPage(Letter, { select: ['returnAddress'], where: { id: IDS[0] } }, { limit: 1 });
    expect(view).toBeUndefined();
    await failed.catch(() => undefined);
  });
});

describe('withoutUndefined', () => {
  it('leaves out the conditions of filters that are absent', () => {
    expect(withoutUndefined({ id: IDS[0], tenantId: undefined, sentAt: null })).toEqual({ id: IDS[0], sentAt: null });
    expect(Object.keys(withoutUndefined({ tenantId: undefined }))).toEqual([]);
  });
});
