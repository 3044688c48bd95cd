import http from 'node:http';
import https from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { TimeoutError } from '../timeout';
import { TunnelRefused } from './outbound-errors';

const OK = 200;

/**
 * A connection to an address through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6).
 * @param proxy its URL, whose user and password are sent if it has them
 * @param address an IP address: the proxy has no name to resolve
 * @param waitMs milliseconds until the proxy must have answered
 * @throws TunnelRefused, TimeoutError, or the error of the connection to the proxy
 */
export function openTunnel(proxy: URL, address: string, port: number, waitMs: number): Promise<Socket> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  const headers = { Host: target, ...authorization(proxy) };
  return new Promise<Socket>((resolve, reject) => {
    const asked = request(proxy.origin, { method: 'CONNECT', path: target, headers, agent: false });
    const timer = setTimeout(() => asked.destroy(new TimeoutError()), waitMs);
    asked.on('close', () => clearTimeout(timer));
    asked.on('error', reject);
    asked.on('response', (response) => {
      response.destroy();
      reject(new TunnelRefused());
    });
    asked.on('connect', ({ statusCode }, socket: Socket) => {
      clearTimeout(timer);
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
