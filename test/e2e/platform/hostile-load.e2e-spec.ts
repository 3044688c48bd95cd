import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { builtService } from '../../support/built-service';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { productionSettings, ServiceProcess, stopServices } from '../../support/service-process';

const CLIENTS = 100;
const MOST_MEGABYTES = 300;
const JSON_TYPE = 'Content-Type: application/json';
const SIGNATURE = `Stripe-Signature: t=1,v1=${'a'.repeat(64)}`;

/** Of a process, from its start (proc_pid_status(5)). */
const mostMegabytesOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

(process.platform === 'linux' ? describe : describe.skip)('The built service under hostile bodies', () => {
  let database: TestDatabase;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    database = await TestDatabase.create();
  });
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    stopServices();
  });
  afterAll(() => database.drop());

  /** Sends a body in pieces as fast as they are taken, from networks that are all different. */
  function attack(port: number, path: string, header: string, piece: string, count: number, index: number): Socket {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => undefined);
    socket.write(`POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.${index}.1\r\n${header}\r\n`);
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    let left = count;
    const send = () => {
      while (left-- > 0 && !socket.destroyed) {
        if (socket.write(piece)) continue;
        socket.once('drain', send);
        return;
      }
    };
    send();
    return socket;
  }

  it.each<[string, string, string, string, number]>([
    ['in chunks of one byte', '/webhooks/stripe', SIGNATURE, '1\r\na\r\n'.repeat(5000), 100],
    ['in chunks of one byte', '/auth/login', JSON_TYPE, '1\r\na\r\n'.repeat(5000), 20],
    ['in chunks of one byte', '/nothing/here', JSON_TYPE, '1\r\na\r\n'.repeat(5000), 20],
    ['of a megabyte that never end', '/webhooks/stripe', SIGNATURE, `ea60\r\n${'x'.repeat(60_000)}\r\n`, 17],
  ])(
    '%s to %s by 100 clients has less than 300 MB, and answers',
    async (_what, path, header, piece, count) => {
      const service = await ServiceProcess.start(await builtService(), {
        ...productionSettings(database.url),
        TRUST_PROXY: '1',
        WORKER: 'off',
      });
      await service.untilReady();
      for (let i = 0; i < CLIENTS; i++) sockets.push(attack(service.port, path, header, piece, count, i));
      // those that remain have a body within the limits, which may take its time to arrive
      const refused = () => sockets.filter(({ destroyed }) => destroyed).length;
      await eventually(() => refused() >= CLIENTS / 2 || undefined, 'the end of connections', 30_000);
      expect(await service.status('/api/v1/health/ready')).toBe(200);
      expect(service.child.exitCode).toBeNull();
      expect(mostMegabytesOf(service.child.pid!)).toBeLessThan(MOST_MEGABYTES);
    },
    90_000,
  );
});
