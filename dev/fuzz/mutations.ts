import { gzipSync } from 'node:zlib';
import type { FuzzRandom } from './fuzz-random';
import { hostileValue, TEXTS } from './hostile-values';
import type { FuzzRequest } from './request';

type Mutation = (request: FuzzRequest, random: FuzzRandom) => FuzzRequest;
type Fields = Record<string, unknown>;

const fieldsOf = ({ body }: FuzzRequest): Fields => (typeof body === 'object' && body !== null ? (body as Fields) : {});

/** Changes, removes or adds one field of the body. */
const BODY: readonly Mutation[] = [
  (request, random) => {
    const fields = fieldsOf(request);
    const name = random.pick(Object.keys(fields).concat('x'));
    return { ...request, body: { ...fields, [name]: hostileValue(random) } };
  },
  (request, random) => {
    const fields = { ...fieldsOf(request) };
    delete fields[random.pick(Object.keys(fields).concat('x'))];
    return { ...request, body: fields };
  },
  (request, random) => ({
    ...request,
    body: { ...fieldsOf(request), [random.pick(TEXTS).slice(0, 100)]: hostileValue(random), isAdmin: true },
  }),
  (request, random) => ({ ...request, body: hostileValue(random) }),
];

/** Sends bytes that are not JSON, or that do not match their headers. */
const BYTES: readonly Mutation[] = [
  (request) => ({ ...request, raw: Buffer.from('{"a":') }),
  (request) => ({ ...request, raw: Buffer.from(`${JSON.stringify(request.body ?? {})}}`) }),
  (request) => ({ ...request, raw: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
  (request) => ({ ...request, raw: Buffer.from('{"__proto__":{"isAdmin":true},"name":"a","name":"b"}') }),
  (request) => ({ ...request, raw: Buffer.from('\ufeff{}') }),
  (request) => ({ ...request, raw: Buffer.alloc(0) }),
  (request) => ({ ...request, raw: Buffer.from(`{"a":"${'x'.repeat(110_000)}"}`) }),
  (request) => ({ ...request, raw: Buffer.from('['.repeat(40_000)) }),
  (request) => ({ ...request, raw: gzipSync('{}'), headers: { ...request.headers, 'content-encoding': 'gzip' } }),
  (request) => ({ ...request, headers: { ...request.headers, 'content-encoding': 'gzip' } }),
  (request, random) => ({ ...request, headers: { ...request.headers, 'content-type': random.pick(MEDIA_TYPES) } }),
];

const MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'x',
  '',
];

/** Changes or adds headers. */
const HEADERS: readonly Mutation[] = [
  (request, random) => ({ ...request, headers: { ...request.headers, authorization: random.pick(AUTHORIZATIONS) } }),
  (request, random) => ({ ...request, headers: { ...request.headers, 'x-request-id': header(random) } }),
  (request, random) => ({ ...request, headers: { ...request.headers, cookie: random.pick(COOKIES) } }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, 'x-session': random.pick(['web', 'panel', 'x'.repeat(50), header(random)]) },
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, accept: random.pick(['text/html', '*/*', 'image/png', 'x']) },
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, origin: random.pick(['null', 'https://evil.example', 'x']) },
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, 'user-agent': header(random), 'x-forwarded-for': header(random) },
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, 'last-event-id': header(random), 'stripe-signature': header(random) },
  }),
];

const AUTHORIZATIONS = [
  'Bearer',
  'Bearer x',
  'Bearer a.b.c',
  'Basic YTpi',
  `Bearer ${'x'.repeat(7_000)}`,
  'bearer  eyJhbGciOiJub25lIn0.e30.',
  'Bearer é',
];
const COOKIES = [
  'refresh_token=x; refresh_token=y',
  'refresh_token=%',
  'a',
  '=;;=',
  `refresh_token=${'x'.repeat(5_000)}`,
  'device=x; registration=y',
];
/** A header cannot contain line breaks: Node refuses to send them. */
const header = (random: FuzzRandom) =>
  Buffer.from(
    random
      .pick(TEXTS)
      .slice(0, 4_000)
      .replace(/[\r\n\0]/g, ''),
    'utf8',
  ).toString('latin1');

const QUERIES = [
  'limit=-1',
  'limit=1e9',
  'limit=',
  'limit[]=1',
  'limit=1&limit=2',
  'cursor=x',
  'cursor=AAAA',
  'cursor=%00',
  'cursor=%ed%a0%80',
  '%',
  'a[b][c]=1',
  '__proto__=1',
];

/** Changes the query or the path. `isElsewhere`: the path may belong to another operation. */
const ADDRESSES: readonly Mutation[] = [
  (request, random) => ({ ...request, query: [request.query, random.pick(QUERIES)].filter(Boolean).join('&') }),
  (request, random) => ({
    ...request,
    query: request.query.replace(/=[^&]*/, `=${encodeURIComponent(wellFormed(random.pick(TEXTS).slice(0, 3_000)))}`),
  }),
  (request, random) => ({
    ...request,
    query: Array.from({ length: 250 }, (_, n) => `k${n}=${random.below(9)}`).join('&'),
  }),
  (request, random) => ({
    ...request,
    path: request.path.replace(/[^/]+$/, random.pick(PATH_ENDS)),
    isElsewhere: true,
  }),
  (request, random) => ({
    ...request,
    path: request.path + random.pick(['/', '//', '/x', '%', '%00', '%2f', '.json', ';a=b']),
    isElsewhere: true,
  }),
];

const PATH_ENDS = [
  '%',
  '%00',
  '%ed%a0%80',
  '..%2f..%2fetc',
  '__proto__',
  '0',
  '1e9',
  '-1',
  'x'.repeat(3_000),
  '%F0%9D%95%8F',
];
const wellFormed = (text: string) => text.replace(/[\ud800-\udfff]/g, '?');

/**
 * Applies up to two random mutations to a valid request. Without any the request remains valid,
 * which is part of the run.
 */
export function mutate(request: FuzzRequest, random: FuzzRandom): FuzzRequest {
  const kinds = [HEADERS, ADDRESSES, ...(request.body === undefined ? [] : [BODY, BODY, BODY, BYTES])];
  let mutated = request;
  for (let times = random.below(3); times > 0; times--) mutated = random.pick(random.pick(kinds))(mutated, random);
  return mutated;
}
