import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestApp } from './app';

/** Opens a connection to the service, on which nothing is sent. */
export async function openConnection({ address }: Pick<TestApp, 'address'>): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setEncoding('utf8').resume();
  await once(socket, 'connect', { signal: AbortSignal.timeout(10_000) });
  return socket;
}
