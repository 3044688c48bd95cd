import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Agent, get, type IncomingMessage } from 'node:http';
import { SignedIn } from '../../../src/http/access/access.decorators';
import { CsvFile } from '../../../src/http/responses/csv-file';
import { CsvResponse } from '../../../src/http/responses/csv-response.decorator';
import { ExportTiming } from '../../../src/http/responses/export-timing';
import { ok } from '../../../src/platform/result';
import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { openConnection } from '../../support/raw-connection';

const ROW = 'x'.repeat(2000);
const content = { name: 'rows', day: new Date(0), columns: { row: (row: string) => row } };
/** Pages that were read, by all files. */
let pagesRead = 0;

/** Files that have more rows than any connection buffers. */
@ApiExcludeController()
@SignedIn()
@Controller('sample')
class SampleController {
  @Get('tenant') @CsvResponse('tenant') ofTenant() {
    return this.file();
  }
  @Get('operator') @CsvResponse('operator') ofOperator() {
    return this.file();
  }
  @Get('failing') @CsvResponse('operator') failing() {
    throw new Error('The first page failed.');
  }
  private file() {
    const page = { items: Array.from({ length: 1000 }, () => ROW), nextCursor: 'next' };
    return CsvFile.of(content, () => {
      pagesRead += 1;
      return Promise.resolve(ok(page));
    });
  }
}

/** A client that reads the head of a response, and the body only when it is told to. */
class Download {
  isOver = false;
  bytes = 0;

  private constructor(private readonly message: IncomingMessage) {
    message.on('error', () => undefined).on('close', () => (this.isOver = true));
  }

  static async begin(t: TestApp, path: string, { bearer }: Bearer): Promise<Download> {
    const url = `${t.address}/api/v1/sample/${path}`;
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: bearer, agent: new Agent() }, resolve).on('error', reject);
    });
    expect(message.statusCode).toBe(200);
    return new Download(message);
  }

  /** Reads with pauses. */
  read(): void {
    this.message.on('data', (data: Buffer) => {
      this.bytes += data.length;
      this.message.pause();
      setTimeout(() => this.message.resume(), 5);
    });
  }

  abort(): void {
    this.message.destroy();
  }

  /** Reads what has arrived, which is not the whole file. */
  async untilCut(): Promise<void> {
    this.message.resume();
    await eventually(() => this.isOver || undefined, 'the end of the response');
    expect(this.message.complete).toBe(false);
  }
}

describe('exports as CSV files', () => {
  let t: TestApp;
  let first: Member;
  let second: Member;
  const open: Download[] = [];
  beforeAll(async () => {
    t = await TestApp.start({ controllers: [SampleController], env: { WORKER: 'off', LOG_LEVEL: 'info' } });
    first = await t.actors.owner({ isAdmin: true });
    second = await t.actors.member(first, 'Admin');
    Object.assign(t.nest.get(ExportTiming), { checkMs: 20 });
  });
  const usual = { stallMs: 30_000, totalMs: 600_000 };
  const allow = (times: Partial<typeof usual>) =>
    Object.assign(t.nest.get(ExportTiming), { usual: { ...usual, ...times } });
  afterEach(async () => {
    open.splice(0).forEach((download) => download.abort());
    allow({});
    await eventually(async () => (await connections()) === 0 || undefined, 'all connections to close');
  });
  afterAll(() => t.close());

  const reasonsOfCuts = () =>
    t.logLines
      .filter((line) => line.includes('"export.cut"'))
      .map((line) => (JSON.parse(line) as { reason: string }).reason);
  const connections = () =>
    new Promise<number>((resolve) =>
      t.nest.getHttpServer().getConnections((_: unknown, count: number) => resolve(count)),
    );
  const begin = async (path: string, by: Bearer, at = t) => {
    const download = await Download.begin(at, path, by);
    open.push(download);
    return download;
  };
  const refused = async (path: string, by: Bearer) => {
    const response = await t.api
      .get(path)
      .set({ ...by.bearer, Connection: 'close' })
      .expect(429);
    expect([codeOf(response), Number(response.headers['retry-after'])]).toEqual(['RATE_LIMITED', 30]);
  };
  /** A connection with two exports of the tenant. The second waits for the first one's end. */
  const pipelined = async (at: TestApp) => {
    const socket = (await openConnection(at)).pause();
    const { Authorization } = first.bearer;
    const before = pagesRead;
    socket.write(`GET /api/v1/sample/tenant HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\n\r\n`.repeat(2));
    await eventually(() => pagesRead >= before + 2 || undefined, 'both to begin');
    return socket;
  };
  const untilAccepted = (path: string, by: Bearer) =>
    eventually(() => begin(path, by).catch(() => undefined), 'a slot that is free again');

  it('are two at a time for an operator; others are not concerned', async () => {
    const other = await t.actors.admin();
    for (let count = 0; count < 2; count++) await begin('operator', first);
    await refused('/sample/operator', first);
    await refused('/admin/users/export', first);
    const recorded = await t.database.query(`SELECT FROM audit_log WHERE action = 'admin.exported'`);
    expect(recorded).toEqual([]);
    await t.api
      .get('/admin/users/export')
      .set({ ...other.bearer, Connection: 'close' })
      .expect(200);
    await begin('tenant', first);
    expect((await t.http.get('/metrics').set('Connection', 'close')).text).toMatch(
      /^rate_limited_total\{kind="exports"\} 2/m,
    );
  });

  it('are limited to two at a time for a tenant, over all members', async () => {
    const elsewhere = await t.actors.owner();
    await begin('tenant', first);
    await begin('tenant', second);
    await refused('/sample/tenant', second);
    await begin('tenant', elsewhere);
  });

  it('are eight at a time on an instance', async () => {
    for (let count = 0; count < 4; count++) {
      const admin = await t.actors.admin();
      await begin('operator', admin);
      await begin('operator', admin);
    }
    await refused('/sample/operator', first);
    open.pop()!.abort();
    await untilAccepted('operator', first);
  });

  it('can be repeated after a download that was aborted, and stop reading then', async () => {
    for (let count = 0; count < 5; count++) {
      const download = await untilAccepted('operator', first);
      download.read();
      await eventually(() => download.bytes > 0 || undefined, 'rows');
      download.abort();
    }
    await eventually(async () => (await connections()) === 0 || undefined, 'all connections to close');
    const before = pagesRead;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pagesRead).toBe(before);
  });

  it('can be repeated after a failure, a refusal, a HEAD request and a whole file', async () => {
    for (let count = 0; count < 4; count++) {
      const ask = (method: 'get' | 'head', path: string) =>
        t.api[method](path).set({ ...first.bearer, Connection: 'close' });
      await ask('get', '/sample/failing').expect(500);
      await ask('get', '/admin/users/export?state=gone').expect(400);
      await ask('head', '/sample/operator').expect(200);
      await ask('get', '/admin/users/export').expect(200);
    }
  });

  it('can be repeated after a connection was closed on which one waited for another', async () => {
    const socket = await pipelined(t);
    await refused('/sample/tenant', second);
    socket.destroy();
    for (let count = 0; count < 2; count++) await untilAccepted('tenant', first);
  });

  it('are cut when the client reads nothing', async () => {
    allow({ stallMs: 200 });
    const download = await begin('operator', first);
    await eventually(async () => (await connections()) === 0 || undefined, 'the connection to close');
    await download.untilCut();
    expect(reasonsOfCuts()).toContain('stalled');
    for (let count = 0; count < 2; count++) await begin('operator', first);
  });

  it('are not cut while the client reads slowly, but after their time', async () => {
    allow({ stallMs: 1000, totalMs: 2000 });
    const start = performance.now();
    const download = await begin('operator', first);
    download.read();
    await eventually(() => download.isOver || undefined, 'the end of the response');
    expect(performance.now() - start).toBeGreaterThan(1900);
    expect(reasonsOfCuts()).toContain('too-long');
  });

  it('are cut when the session ends', async () => {
    const leaving = await t.actors.owner();
    const download = await begin('tenant', leaving);
    await t.api
      .post('/auth/logout')
      .set({ ...leaving.bearer, Connection: 'close' })
      .send({ refreshToken: leaving.refreshToken })
      .expect(200);
    await download.untilCut();
    expect(reasonsOfCuts()).toContain('session-ended');
  });

  it('do not delay a shutdown when they are stalled', async () => {
    const other = await TestApp.start({ beside: t, controllers: [SampleController], env: { WORKER: 'off' } });
    Object.assign(other.nest.get(ExportTiming), { checkMs: 20, stopping: { stallMs: 200, totalMs: 20_000 } });
    (await pipelined(other)).destroy();
    const download = await begin('operator', first, other);
    const start = performance.now();
    await other.close();
    expect(performance.now() - start).toBeLessThan(5000);
    await download.untilCut();
  });
});
