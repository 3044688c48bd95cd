import { NotFoundException } from '@nestjs/common';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseNotConnected } from '../../platform/database/database-errors';
import { exceptionToFailure } from './exception-to-failure';

const coded = (code: string, message = 'm') => Object.assign(new Error(message), { code });

/** What PostgreSQL says when it cannot now, and could a little later. */
const REFUSALS: Record<string, string> = {
  '08006': 'a connection that failed',
  '08P01': 'a connection that speaks another protocol, as a pooler does that has lost its server',
  '25006': 'a database that is read-only since a failover',
  '25P03': 'a transaction that said nothing for too long',
  '40001': 'transactions in each other’s way, again and again',
  '40P01': 'a deadlock, again and again',
  '53000': 'resources that are short',
  '53100': 'a disk that is full',
  '53200': 'memory that is short',
  '53300': 'connections that are short',
  '55P03': 'a lock that was waited for in vain',
  '57014': 'a statement that took too long, or was cancelled',
  '57P01': 'a server that is being stopped',
  '57P02': 'a server that has crashed',
  '57P03': 'a server that is starting',
  '58030': 'a disk that fails',
};

describe('what a thrown value says to the caller', () => {
  it.each([
    ['a bug', new TypeError('x is undefined'), 'INTERNAL_ERROR'],
    ['a string', 'oops', 'INTERNAL_ERROR'],
    [
      'a status that nobody chose to expose',
      Object.assign(new Error('secret path'), { status: 404 }),
      'INTERNAL_ERROR',
    ],
    ['an unknown route', new NotFoundException(), 'NOT_FOUND'],
    ['a body that is too large', Object.assign(new Error('large'), { status: 413, expose: true }), 'PAYLOAD_TOO_LARGE'],
    ['a refused connection', coded('ECONNREFUSED'), 'UNAVAILABLE'],
    ['several refused connections', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), 'UNAVAILABLE'],
    ['a query cut off', new QueryFailedError('SELECT 1', [], coded('57P01')), 'UNAVAILABLE'],
    ['a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError(), 'UNAVAILABLE'],
    ...Object.entries(REFUSALS).map(([code, what]) => [
      what,
      new QueryFailedError('INSERT', [], coded(code)),
      'UNAVAILABLE',
    ]),
    ['an error at connecting', coded('53300', 'sorry, too many clients already'), 'UNAVAILABLE'],
    ['a right that is missing', new QueryFailedError('INSERT', [], coded('42501')), 'INTERNAL_ERROR'],
    ['a statement that is wrong', new QueryFailedError('INSERT', [], coded('42601')), 'INTERNAL_ERROR'],
    ['a full pool', new Error('timeout exceeded when trying to connect'), 'UNAVAILABLE'],
    ['a database never reached', new DatabaseNotConnected(), 'UNAVAILABLE'],
    ['a constraint that nobody translated', new QueryFailedError('INSERT', [], coded('23505')), 'INTERNAL_ERROR'],
    ['text that cannot be stored', new QueryFailedError('SELECT', [], coded('22021')), 'VALIDATION_ERROR'],
  ] as [string, unknown, string][])('%s', (_what, thrown, code) => expect(exceptionToFailure(thrown).code).toBe(code));
});
