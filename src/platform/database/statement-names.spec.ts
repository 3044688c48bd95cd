import { StatementNames } from './statement-names';

const namesOf = (names: StatementNames, sql: string, times: number) =>
  Array.from({ length: times }, () => names.nameOf(sql));

describe('StatementNames', () => {
  it('names a statement at its fifth execution, and keeps the name', () => {
    const given = namesOf(new StatementNames(), 'SELECT $1', 7);
    expect(given.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(given[4]).toMatch(/^[0-9a-f]{32}$/);
    expect(given.slice(5)).toEqual([given[4], given[4]]);
  });

  it('gives different statements different names, and the same statement the same in every process', () => {
    const nameIn = (names: StatementNames, sql: string) => namesOf(names, sql, 5).at(-1);
    const [one, another] = [new StatementNames(), new StatementNames()];
    expect(nameIn(one, 'SELECT $1')).toBe(nameIn(another, 'SELECT $1'));
    expect(nameIn(one, 'SELECT $1')).not.toBe(nameIn(one, 'SELECT $2'));
  });

  it('gives a statement another name when its plan cannot be used, once for each name', () => {
    const names = new StatementNames();
    const first = namesOf(names, 'SELECT $1', 5).at(-1)!;
    names.renew('SELECT $1', first);
    const second = names.nameOf('SELECT $1')!;
    expect(second).not.toBe(first);
    names.renew('SELECT $1', first); // another connection reports the same
    expect(names.nameOf('SELECT $1')).toBe(second);
    names.renew('SELECT $1', second);
    expect([first, second]).not.toContain(names.nameOf('SELECT $1'));
  });

  it('sends a statement without a name after ten of its names could not be used', () => {
    const names = new StatementNames();
    namesOf(names, 'SELECT $1', 4);
    const given = Array.from({ length: 12 }, () => {
      const name = names.nameOf('SELECT $1');
      if (name) names.renew('SELECT $1', name);
      return name;
    });
    expect(new Set(given.slice(0, 10)).size).toBe(10);
    expect(given.slice(10)).toEqual([undefined, undefined]);
    expect(namesOf(names, 'SELECT $2', 5).at(-1)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('gives no more than 300 names', () => {
    const names = new StatementNames();
    const given = Array.from({ length: 301 }, (_, index) => namesOf(names, `SELECT $1, ${index}`, 5).at(-1));
    expect(new Set(given.slice(0, 300)).size).toBe(300);
    expect(given[300]).toBeUndefined();
    expect(names.nameOf('SELECT $1, 0')).toBe(given[0]);
  });

  it('counts again from the start when more than 2,000 statements are not named yet', () => {
    const names = new StatementNames();
    namesOf(names, 'SELECT $1', 4);
    for (let index = 0; index < 2000; index++) names.nameOf(`SELECT $1, ${index}`);
    expect(names.nameOf('SELECT $1')).toBeUndefined();
  });
});
