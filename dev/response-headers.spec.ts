import type { OpenAPIObject } from '@nestjs/swagger';
import { AnswerHeaders } from './response-headers';

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const headers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
const document = {
  components: {
    headers: { 'X-Request-Id': { required: true }, 'Retry-After': {}, 'Set-Cookie': {} },
    responses: {
      Ok: { headers: headers('X-Request-Id', 'Set-Cookie') },
      Any: { headers: headers('X-Request-Id', 'Retry-After'), 'x-status-by-code': { RATE_LIMITED: 429 } },
    },
  },
  paths: { '/things/{id}': { get: { responses: { 200: ref('responses', 'Ok'), default: ref('responses', 'Any') } } } },
} as unknown as OpenAPIObject;

describe('The headers of a response', () => {
  const wrong = (status: number, sent: object) =>
    new AnswerHeaders(document).wrongIn('GET', '/things/{id}', status, { 'x-request-id': 'one', ...sent });

  it.each([
    ['with what it declares', 200, { 'set-cookie': ['a=1'] }],
    ['without what is optional', 200, {}],
    ['with headers that the document does not describe', 200, { vary: 'Origin' }],
    ['with what the default response declares', 429, { 'retry-after': 1 }],
    ['with the cookie that any response can set', 429, { 'retry-after': 1, 'set-cookie': 'web_session=true' }],
    ['whose status the document does not have', 404, { 'retry-after': 1 }],
  ])('are right %s', (_what, status, sent) => expect(wrong(status, sent)).toEqual([]));

  it.each([
    ['an undeclared header', 200, { 'retry-after': 1 }, '200: Retry-After is not in the document'],
    [
      'an undeclared cookie',
      429,
      { 'retry-after': 1, 'set-cookie': ['a=1'] },
      '429: Set-Cookie is not in the document',
    ],
    ['no request id', 200, { 'x-request-id': undefined }, '200: X-Request-Id is missing'],
    ['no time to wait', 429, {}, '429: Retry-After is missing'],
  ])('are wrong with %s', (_what, status, sent, message) =>
    expect(wrong(status, sent)).toEqual([`GET /things/{id} ${message}`]),
  );
});
