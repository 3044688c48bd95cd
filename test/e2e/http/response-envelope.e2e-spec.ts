import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { once } from 'node:events';
import { Public } from '../../../src/http/access/access.decorators';
import { EachItem } from '../../../src/http/validation/each-item.decorator';
import { err, failure, ok, type FailureKind } from '../../../src/platform/result';
import { TestApp } from '../../support/app';
import { openConnection } from '../../support/raw-connection';

class Inner {
  @IsString() b!: string;
}

class NestedBody {
  @ValidateNested() @Type(() => Inner) a!: Inner;
  @EachItem((item) => typeof item === 'string', 'must be a string') permissions!: unknown[];
}

@ApiExcludeController()
@Public()
@Controller('sample')
class SampleController {
  @Post('nested') nested(@Body() body: NestedBody) {
    return ok(body);
  }
  @Get('bug') bug() {
    throw new TypeError('cannot read the secret of undefined');
  }
  @Get('nothing') nothing() {
    return ok();
  }
  @Post('failure') failure(@Body() body: { kind: FailureKind }) {
    return err({ ...failure('SOME_CODE', body.kind, 'A sentence.'), retryAfter: 7 });
  }
}

describe('the response envelope', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ controllers: [SampleController] });
  });
  afterAll(() => t.close());

  it.each<[FailureKind, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['unpaid', 402],
    ['forbidden', 403],
    ['missing', 404],
    ['conflict', 409],
    ['too-large', 413],
    ['unsupported', 415],
    ['too-many', 429],
    ['unavailable', 503],
  ])('maps a failure of kind %s to %i', async (kind, status) => {
    const { body, headers } = await t.api.post('/sample/failure').send({ kind }).expect(status);
    expect(body).toEqual({ success: false, error: { code: 'SOME_CODE', message: 'A sentence.' } });
    expect(headers['retry-after']).toBe('7');
  });

  it('contains null if an operation returns nothing, and a POST returns 200', async () => {
    expect((await t.api.get('/sample/nothing').expect(200)).body).toEqual({ success: true, data: null });
    await t.api
      .post('/sample/nested')
      .send({ a: { b: 'x' }, permissions: [], extra: 1 })
      .expect(200, { success: true, data: { a: { b: 'x' }, permissions: [] } });
  });

  it('names nested fields and array items', async () => {
    const { body } = await t.api
      .post('/sample/nested')
      .send({ a: { b: 1 }, permissions: ['x', 2] })
      .expect(400);
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: expect.any(String),
      details: { 'a.b': ['b must be a string'], 'permissions.1': ['must be a string'] },
    });
  });

  it.each([
    ['malformed JSON', '{"email":', 'application/json', 400, 'VALIDATION_ERROR'],
    ['a list instead of an object', '[]', 'application/json', 400, 'VALIDATION_ERROR'],
    ['a bare value', '"x"', 'application/json', 400, 'VALIDATION_ERROR'],
    [
      'a body over 100 kB',
      JSON.stringify({ email: 'x'.repeat(110_000) }),
      'application/json',
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['text', 'hello', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another charset', '{}', 'application/json; charset=latin1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('wraps %s', async (_what, payload, type, status, code) => {
    const { body } = await t.api.post('/auth/login').set('Content-Type', type).send(payload).expect(status);
    expect(body).toMatchObject({ success: false, error: { code, message: expect.any(String) } });
  });

  it('wraps unknown routes and methods', async () => {
    for (const [request, status, code] of [
      [t.api.get('/no/such/route'), 404, 'NOT_FOUND'],
      [t.api.delete('/auth/login'), 404, 'NOT_FOUND'],
      [t.api.get('/%E0%A4%A'), 404, 'NOT_FOUND'],
      [t.api.get('/admin/users/%E0%A4%A'), 400, 'VALIDATION_ERROR'],
    ] as const) {
      expect((await request.expect(status)).body).toMatchObject({
        success: false,
        error: { code, message: expect.any(String) },
      });
    }
    await t.http.get('/API/v1/health/live').expect(404); // paths are case-sensitive
  });

  it('hides unexpected errors and logs them with the request id', async () => {
    const { body } = await t.api.get('/sample/bug').set('X-Request-Id', 'find-me-1').expect(500);
    expect(body).toEqual({
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' },
    });
    const line = JSON.parse(t.logLines.find((logged) => logged.includes('cannot read the secret'))!) as object;
    expect(line).toMatchObject({
      clientRequestId: 'find-me-1',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      level: 'error',
    });
  });

  it('returns the caller’s request id if it is well formed', async () => {
    const idFor = async (id?: string) =>
      (await t.api.get('/nope').set(id === undefined ? {} : { 'X-Request-Id': id })).headers['x-request-id'];
    expect(await idFor('abc-123')).toBe('abc-123');
    expect(await idFor()).toMatch(/^[0-9a-f-]{36}$/);
    for (const bad of ['x'.repeat(129), 'two words', '{"a":1}', ''])
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is not cached and has security and CORS headers', async () => {
    const { headers } = await t.api.get('/health/live').set('Origin', 'http://localhost:5173').expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-credentials': 'true',
    });
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('x-powered-by');
    const foreign = await t.api.get('/health/live').set('Origin', 'https://evil.example');
    expect(foreign.headers['access-control-allow-origin']).not.toBe('https://evil.example');
    const preflight = await t.api
      .options('/auth/login')
      .set({ Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
  });

  it('survives a request that is not HTTP', async () => {
    const socket = await openConnection(t);
    socket.end('nonsense\r\n\r\n');
    await once(socket, 'close');
    await t.api.get('/health/live').expect(200);
  });
});
