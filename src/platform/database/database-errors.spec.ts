import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { isRefused, isUnreachable, isUseless, mayBeCommitted } from './database-errors';

/** An error as pg reports it, and through TypeORM. PostgreSQL has sent one that has a severity. */
const both = (message: string, fields: { code?: string; severity?: string } = {}) => {
  const isSent = fields.severity !== undefined;
  const error = Object.assign(isSent ? new DatabaseError(message, 1, 'error') : new Error(message), fields);
  return [error, new QueryFailedError('SELECT 1', [], error)];
};

const CASES: [string, Error[], [unreachable: boolean, useless: boolean, committed: boolean]][] = [
  ['a refused statement', both('duplicate key', { code: '23505', severity: 'ERROR' }), [false, false, false]],
  [
    'a server that is no longer the primary',
    both('read-only', { code: '25006', severity: 'ERROR' }),
    [false, true, false],
  ],
  [
    'a server lost by PgBouncer',
    both('server conn crashed?', { code: '08P01', severity: 'FATAL' }),
    [true, true, true],
  ],
  [
    'a parameter that PgBouncer does not know',
    both('unsupported startup parameter: x', { code: '08P01', severity: 'FATAL' }),
    [false, false, false],
  ],
  ['a message of the wrong form', both('bind message', { code: '08P01', severity: 'ERROR' }), [false, false, false]],
  ['no connection in time', both('Connection terminated due to connection timeout'), [true, true, false]],
  ['no response in time', both('Query read timeout'), [true, true, true]],
  ['no free connection in time', both('timeout exceeded when trying to connect'), [true, true, false]],
  ['a connection that breaks', both('write EPROTO', { code: 'EPROTO' }), [true, true, true]],
  ['a row that cannot be read', both('Cannot read properties of null'), [false, false, true]],
  ['a pool that closes', both('Cannot use a pool after calling end on the pool'), [true, true, false]],
];

describe('An error of the database', () => {
  it.each(CASES)('tells what has happened: %s', (_what, errors, expected) => {
    for (const error of errors)
      expect([isUnreachable(error), isUseless(error), mayBeCommitted(error)]).toEqual(expected);
  });

  it('is a refusal if PostgreSQL has sent it, and responds', () => {
    const sent = (code: string) => Object.assign(new DatabaseError('message', 1, 'error'), { code });
    expect(isRefused(sent('40P01'))).toBe(true);
    expect(isRefused(new QueryFailedError('SELECT 1', [], sent('23505')))).toBe(true);
    expect(isRefused(sent('57P01'))).toBe(false);
    expect(isRefused(new DatabaseError('received invalid response', 1, 'error'))).toBe(false);
    expect(isRefused(new TypeError('a row that cannot be read'))).toBe(false);
  });
});
