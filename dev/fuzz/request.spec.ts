import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './request';

describe('A request of the fuzzer', () => {
  /** The results of three requests, one after the other. */
  const sendThreeTimes = async (answer: RequestListener): Promise<(number | string)[]> => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers: (number | string)[] = [];
    for (let n = 1; n <= 3; n++) {
      const sent = send(address, { method: 'POST', path: '/', query: '', headers: {}, body: {} });
      answers.push(await sent.then(({ status }) => status).catch(() => 'closed'));
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return answers;
  };

  it('is sent again if the server closed the idle connection', async () => {
    let count = 0;
    expect(
      await sendThreeTimes((request, response) => (++count === 2 ? request.socket.resetAndDestroy() : response.end())),
    ).toEqual([200, 200, 200]);
  });

  it('fails if the server closes the connection because of the request', async () => {
    let count = 0;
    expect(
      await sendThreeTimes((request, response) => (++count >= 2 ? request.socket.resetAndDestroy() : response.end())),
    ).toEqual([200, 'closed', 'closed']);
  });
});
