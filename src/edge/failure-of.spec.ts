import { NotFoundException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { DatabaseNotConnected } from '../platform/database-errors';
import { failureOf } from './failure-of';

const coded = (code: string, message = 'm') => Object.assign(new Error(message), { code });

describe('what a thrown value says to the caller', () => {
  it.each([
    ['a bug', new TypeError('x is undefined'), 'INTERNAL_ERROR'],
    ['a string', 'oops', 'INTERNAL_ERROR'],
    ['a status that nobody chose to expose', Object.assign(new Error('secret path'), { status: 404 }), 'INTERNAL_ERROR'],
    ['an unknown route', new NotFoundException(), 'NOT_FOUND'],
    ['a body that is too large', Object.assign(new Error('large'), { status: 413, expose: true }), 'PAYLOAD_TOO_LARGE'],
    ['a refused connection', coded('ECONNREFUSED'), 'UNAVAILABLE'],
    ['several refused connections', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), 'UNAVAILABLE'],
    ['a query cut off', new QueryFailedError('SELECT 1', [], coded('57P01')), 'UNAVAILABLE'],
    ['a full pool', new Error('timeout exceeded when trying to connect'), 'UNAVAILABLE'],
    ['a database never reached', new DatabaseNotConnected(), 'UNAVAILABLE'],
    ['a constraint that nobody translated', new QueryFailedError('INSERT', [], coded('23505')), 'INTERNAL_ERROR'],
    ['text that cannot be stored', new QueryFailedError('SELECT', [], coded('22021')), 'VALIDATION_ERROR'],
  ])('%s', (_what, thrown, code) => expect(failureOf(thrown).code).toBe(code));
});
