import { NotFoundException } from '@nestjs/common';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseNotConnected } from '../../platform/database/database-errors';
import { exceptionToFailure } from './exception-to-failure';

const coded = (code: string, message = 'm') => Object.assign(new Error(message), { code });

/** Temporary errors of PostgreSQL by SQLSTATE. */
const TEMPORARY_ERRORS: Record<string, string> = {
  '08006': 'a failed connection',
  '08P01': 'a protocol violation (a pooler that lost its server)',
  '25006': 'a read-only database after a failover',
  '25P03': 'an idle transaction timeout',
  '40001': 'a serialization failure',
  '40P01': 'a deadlock',
  '53000': 'insufficient resources',
  '53100': 'a full disk',
  '53200': 'insufficient memory',
  '53300': 'too many connections',
  '55P03': 'a lock timeout',
  '57014': 'a statement timeout or cancellation',
  '57P01': 'a server shutdown',
  '57P02': 'a server crash',
  '57P03': 'a starting server',
  '58030': 'a disk error',
};

describe('the failure for an exception', () => {
  it.each([
    ['a bug', new TypeError('x is undefined'), 'INTERNAL_ERROR'],
    ['a string', 'oops', 'INTERNAL_ERROR'],
    ['a status that is not exposed', Object.assign(new Error('secret path'), { status: 404 }), 'INTERNAL_ERROR'],
    ['an unknown route', new NotFoundException(), 'NOT_FOUND'],
    ['a body that is too large', Object.assign(new Error('large'), { status: 413, expose: true }), 'PAYLOAD_TOO_LARGE'],
    ['a refused connection', coded('ECONNREFUSED'), 'UNAVAILABLE'],
    ['several refused connections', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), 'UNAVAILABLE'],
    ['a terminated query', new QueryFailedError('SELECT 1', [], coded('57P01')), 'UNAVAILABLE'],
    ['a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError(), 'UNAVAILABLE'],
    ...Object.entries(TEMPORARY_ERRORS).map(([code, what]) => [
      what,
      new QueryFailedError('INSERT', [], coded(code)),
      'UNAVAILABLE',
    ]),
    ['an error while connecting', coded('53300', 'sorry, too many clients already'), 'UNAVAILABLE'],
    ['a missing privilege', new QueryFailedError('INSERT', [], coded('42501')), 'INTERNAL_ERROR'],
    ['a syntax error', new QueryFailedError('INSERT', [], coded('42601')), 'INTERNAL_ERROR'],
    ['a full pool', new Error('timeout exceeded when trying to connect'), 'UNAVAILABLE'],
    ['a database that was never reached', new DatabaseNotConnected(), 'UNAVAILABLE'],
    ['an unhandled constraint violation', new QueryFailedError('INSERT', [], coded('23505')), 'INTERNAL_ERROR'],
    ['text that cannot be stored', new QueryFailedError('SELECT', [], coded('22021')), 'VALIDATION_ERROR'],
  ] as [string, unknown, string][])('%s', (_what, thrown, code) => expect(exceptionToFailure(thrown).code).toBe(code));
});
