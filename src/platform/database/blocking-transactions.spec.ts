import { describeSession, startOfQuery } from './blocking-transactions';

const session = { pid: 41, role: 'app', application: 'psql', state: 'active', seconds: 12, query: 'SELECT 1' };

describe('The start of a query', () => {
  it.each([
    ['COPY public.users (id, email) TO stdout;', 'COPY public.users (id, email) TO stdout;'],
    ["UPDATE users SET email = 'ann@example.com'", 'UPDATE users SET email =…'],
    ['SELECT * FROM t2 JOIN "x9" WHERE id = 42 AND name = $1', 'SELECT * FROM t2 JOIN "x9" WHERE id =…'],
    ['SELECT -4.5, .5', 'SELECT -…'],
    ['SELECT $$ann$$', 'SELECT…'],
    ['SELECT a -- for ann', 'SELECT a…'],
    ['/* ann */ SELECT a', '…'],
    ['SELECT\n  a\n  FROM b', 'SELECT a FROM b'],
    [`SELECT ${'a, '.repeat(40)}`, `SELECT ${'a, '.repeat(24)}a…`],
  ])('of %j is %j', (query, start) => expect(startOfQuery(query)).toBe(start));
});

describe('A session in words', () => {
  it('has its age and the start of its query', () =>
    expect(describeSession(session)).toBe('pid 41 (role app, application psql, active, for 12 s): SELECT…'));

  it('says which role sees what is hidden', () =>
    expect(describeSession({ ...session, state: null, seconds: null, query: '<insufficient privilege>' })).toBe(
      'pid 41 (role app, application psql, pg_read_all_stats shows its age and query)',
    ));

  it('is a prepared transaction if it has no connection', () =>
    expect(describeSession({ ...session, pid: 0 })).toBe('a prepared transaction (pg_prepared_xacts)'));
});
