import { gzipSync } from 'node:zlib';
import type { Dice } from './dice';
import { hostileValue, TEXTS } from './hostile-values';
import type { FuzzRequest } from './request';

type Mutation = (request: FuzzRequest, dice: Dice) => FuzzRequest;
type Fields = Record<string, unknown>;

const fieldsOf = ({ body }: FuzzRequest): Fields => (typeof body === 'object' && body !== null ? (body as Fields) : {});

/** One field of the body gets another value, goes, or is added. */
const BODY: readonly Mutation[] = [
  (request, dice) => {
    const fields = fieldsOf(request);
    const name = dice.pick(Object.keys(fields).concat('x'));
    return { ...request, body: { ...fields, [name]: hostileValue(dice) } };
  },
  (request, dice) => {
    const fields = { ...fieldsOf(request) };
    delete fields[dice.pick(Object.keys(fields).concat('x'))];
    return { ...request, body: fields };
  },
  (request, dice) => ({
    ...request,
    body: { ...fieldsOf(request), [dice.pick(TEXTS).slice(0, 100)]: hostileValue(dice), isAdmin: true },
  }),
  (request, dice) => ({ ...request, body: hostileValue(dice) }),
];

/** The bytes of the body are no JSON, or come in another way than they say. */
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
  (request, dice) => ({ ...request, headers: { ...request.headers, 'content-type': dice.pick(MEDIA_TYPES) } }),
];

const MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'x',
  '',
];

/** Headers that have nothing to do with the operation, or should have. */
const HEADERS: readonly Mutation[] = [
  (request, dice) => ({ ...request, headers: { ...request.headers, authorization: dice.pick(AUTHORIZATIONS) } }),
  (request, dice) => ({ ...request, headers: { ...request.headers, 'x-request-id': header(dice) } }),
  (request, dice) => ({ ...request, headers: { ...request.headers, cookie: dice.pick(COOKIES) } }),
  (request, dice) => ({
    ...request,
    headers: { ...request.headers, 'x-session': dice.pick(['web', 'panel', 'x'.repeat(50), header(dice)]) },
  }),
  (request, dice) => ({
    ...request,
    headers: { ...request.headers, accept: dice.pick(['text/html', '*/*', 'image/png', 'x']) },
  }),
  (request, dice) => ({
    ...request,
    headers: { ...request.headers, origin: dice.pick(['null', 'https://evil.example', 'x']) },
  }),
  (request, dice) => ({
    ...request,
    headers: { ...request.headers, 'user-agent': header(dice), 'x-forwarded-for': header(dice) },
  }),
  (request, dice) => ({
    ...request,
    headers: { ...request.headers, 'last-event-id': header(dice), 'stripe-signature': header(dice) },
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
/** A header's text can hold no line break: Node refuses to send one. */
const header = (dice: Dice) =>
  Buffer.from(
    dice
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

/** The query and the path. `isElsewhere`: the address may not be the operation's any more. */
const ADDRESSES: readonly Mutation[] = [
  (request, dice) => ({ ...request, query: [request.query, dice.pick(QUERIES)].filter(Boolean).join('&') }),
  (request, dice) => ({
    ...request,
    query: request.query.replace(/=[^&]*/, `=${encodeURIComponent(wellFormed(dice.pick(TEXTS).slice(0, 3_000)))}`),
  }),
  (request, dice) => ({ ...request, query: Array.from({ length: 250 }, (_, n) => `k${n}=${dice.below(9)}`).join('&') }),
  (request, dice) => ({ ...request, path: request.path.replace(/[^/]+$/, dice.pick(PATH_ENDS)), isElsewhere: true }),
  (request, dice) => ({
    ...request,
    path: request.path + dice.pick(['/', '//', '/x', '%', '%00', '%2f', '.json', ';a=b']),
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
 * What is done to a request that the document allows. Where nothing is, it stays as it is: valid
 * requests are part of the run.
 */
export function mutate(request: FuzzRequest, dice: Dice): FuzzRequest {
  const kinds = [HEADERS, ADDRESSES, ...(request.body === undefined ? [] : [BODY, BODY, BODY, BYTES])];
  let mutated = request;
  for (let times = dice.below(3); times > 0; times--) mutated = dice.pick(dice.pick(kinds))(mutated, dice);
  return mutated;
}
