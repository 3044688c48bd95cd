import type { OpenAPIObject } from '@nestjs/swagger';
import type { ActorName } from './actors';
import { operationsOf, type Operation } from './operations';
import type { FuzzRequest } from './request';
import { ResponseCheck } from './response-check';

const path = '/api/v1/tenants/current/projects/{id}';
const success = {
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { enum: [true] }, data: { type: 'null' } },
};
const code = { type: 'string', enum: ['NOT_FOUND'] };
const error = { type: 'object', required: ['code', 'message'], properties: { code, message: { type: 'string' } } };
const failure = { type: 'object', required: ['success', 'error'], properties: { success: { enum: [false] }, error } };
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const get = { operationId: 'get', security: [{ bearer: [] }], responses: { 200: json(success), 404: json(failure) } };
const document = {
  paths: {
    [path]: { get },
    '/api/v1/admin/tenants/{id}': { get },
    '/api/v1/admin/tenants/export': { get: { ...get, responses: { 200: { content: { 'text/csv': {} } } } } },
  },
} as unknown as OpenAPIObject;

describe('The check of a response', () => {
  const [operation, operatorsOperation, exported] = operationsOf(document);
  const request: FuzzRequest = { method: 'GET', path: '/api/v1/tenants/current/projects/1', query: '', headers: {} };
  type Changes = Partial<FuzzRequest> & { actor?: ActorName };
  const about =
    (asked: Operation) =>
    (status: number, body: unknown, { actor = 'member', ...changed }: Changes = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return new ResponseCheck(document).of(
        asked,
        actor,
        { ...request, ...changed },
        { status, headers: { 'x-request-id': '1' }, text },
      );
    };
  const [of, admin] = [about(operation), about(operatorsOperation)];
  const done = { success: true, data: null };
  const refused = (refusal: string) => ({ success: false, error: { code: refusal, message: '' } });

  const FILE = {
    'x-request-id': '1',
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="a.csv"',
  };
  const file = (status: number, at = operation) =>
    new ResponseCheck(document).of(at, 'admin', { ...request, path: at.path }, { status, headers: FILE, text: 'a,b' });

  it('accepts what the API document allows', () => {
    expect(file(200, exported)).toBeUndefined();
    expect(of(200, done)).toBeUndefined();
    expect(of(404, refused('NOT_FOUND'))).toBeUndefined();
    expect(of(404, refused('NOT_FOUND'), { actor: 'nobody' })).toBeUndefined();
    expect(admin(200, done, { actor: 'admin', isForeign: true })).toBeUndefined();
    expect(of(418, refused('OTHER'), { isElsewhere: true })).toBeUndefined();
  });

  it.each([
    ['a 5xx', of(503, refused('UNAVAILABLE')), 'returned 503'],
    ['a status that is not documented', of(409, refused('CONFLICT')), 'not in the document'],
    ['a code that is not documented', of(404, refused('OTHER')), 'must be equal to one of'],
    ['a field that is not documented', of(200, { ...done, more: 1 }), 'unevaluated properties'],
    ['a page instead of JSON', of(404, '<html>'), 'is not JSON'],
    ['a body outside the envelope', of(200, { id: 1 }), 'envelope'],
    ['a failure with a status of success', of(200, refused('NOT_FOUND')), 'envelope'],
    ['a file that is not documented', file(200), 'is a file of the type text/csv'],
    ['a redirect that is not documented', of(302, ''), 'redirects'],
    ['a success without a token', of(200, done, { actor: 'nobody' }), 'succeeds without a token'],
    [
      'a success without a token at a longer path',
      of(200, done, { actor: 'nobody', isElsewhere: true }),
      'succeeds without a token',
    ],
    ['data of another tenant', of(200, done, { isForeign: true }), 'data of another tenant'],
    [
      'data of another tenant that an admin gets through /tenants/current',
      of(200, done, { actor: 'admin', isForeign: true }),
      'data of another tenant',
    ],
    ['a response outside the envelope at an unknown path', of(404, 'x', { isElsewhere: true }), 'is not JSON'],
  ])('rejects %s', (_, found, expected) => {
    expect(found).toContain(expected);
  });
});
