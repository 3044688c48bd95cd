import http from 'node:http';
import https from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { TunnelRefused } from './outbound-errors';

const OK = 200;

/**
 * A connection to an address through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6).
 * @param proxy its URL, whose user and password are sent if it has them
 * @param address an IP address: the proxy has no name to resolve
 * @param waitMs milliseconds for the answer of the proxy
 * @throws TunnelRefused, or the error of the connection to the proxy
 */
export function openTunnel(proxy: URL, address: string, port: number, waitMs: number): Promise<Socket> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  const headers = { Host: target, ...authorization(proxy) };
  return new Promise((resolve, reject) => {
    const asked = request(proxy.origin, { method: 'CONNECT', path: target, headers, agent: false, timeout: waitMs });
    asked.on('timeout', () => asked.destroy(new TunnelRefused()));
    asked.on('error', reject);
    asked.on('response', (response) => {
      response.destroy();
      reject(new TunnelRefused());
    });
    asked.on('connect', ({ statusCode }, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode === OK) return resolve(socket);
      socket.destroy();
      reject(new TunnelRefused());
    });
    asked.end();
  });
}

function authorization({ username, password }: URL) {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
