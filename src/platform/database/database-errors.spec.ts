import { QueryFailedError } from 'typeorm';
import { isConnectionLost, isPoolExhausted, isUnanswered, isUnreachable } from './database-errors';

/** An error as pg reports it, and through TypeORM. */
const both = (message: string, fields = {}) => {
  const error = Object.assign(new Error(message), fields);
  return [error, new QueryFailedError('SELECT 1', [], error)];
};

const REFUSED = both('duplicate key', { code: '23505', severity: 'ERROR' });
const CONFLICT = both('terminating connection due to conflict with recovery', { code: '40001', severity: 'FATAL' });
const LOST_BY_POOLER = both('server conn crashed?', { code: '08P01', severity: 'FATAL' });
const NEVER_CONNECTED = both('Connection terminated due to connection timeout');
const OVERDUE = both('Query read timeout');
const EXHAUSTED = both('timeout exceeded when trying to connect');
const ENDED = both('Cannot use a pool after calling end on the pool');

describe('An error of the database', () => {
  it.each([
    ['a refused statement', REFUSED, { unreachable: false, lost: false, unanswered: false, exhausted: false }],
    ['a FATAL error', CONFLICT, { unreachable: false, lost: true, unanswered: false, exhausted: false }],
    [
      'a server lost by PgBouncer',
      LOST_BY_POOLER,
      { unreachable: true, lost: true, unanswered: true, exhausted: false },
    ],
    ['no connection in time', NEVER_CONNECTED, { unreachable: true, lost: true, unanswered: false, exhausted: false }],
    ['no response in time', OVERDUE, { unreachable: true, lost: true, unanswered: true, exhausted: false }],
    ['no free connection in time', EXHAUSTED, { unreachable: true, lost: true, unanswered: false, exhausted: true }],
    ['a pool that closes', ENDED, { unreachable: true, lost: true, unanswered: false, exhausted: false }],
  ])('tells what has happened: %s', (_what, errors, expected) => {
    for (const error of errors)
      expect({
        unreachable: isUnreachable(error),
        lost: isConnectionLost(error),
        unanswered: isUnanswered(error),
        exhausted: isPoolExhausted(error),
      }).toEqual(expected);
  });
});
