import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What a receiver does with a request that it has read. */
export interface ReceiverHabit {
  /** Whether the message is lost before the receiver has processed it. */
  readonly isLost?: boolean;
  readonly answer: (response: ServerResponse) => unknown;
}

/** Longer than most answers, and shorter than what makes an endpoint slow. */
const SLOW_MS = 700;

/** Ends the connection behind bytes that are no correct answer, or behind none. */
const raw = (text: string) => (response: ServerResponse) => response.socket?.end(text, () => response.destroy());

export const accept = (response: ServerResponse) => response.writeHead(200).end('ok');

/** The address that redirects lead to. Nobody may follow them. */
export const ELSEWHERE = '/elsewhere';

/** Habits of receivers that are lost, slow, hanging or lying. */
export const HABITS: readonly ReceiverHabit[] = [
  { answer: accept },
  { answer: async (response) => accept((await pause(SLOW_MS), response)) },
  { answer: () => undefined }, // hangs
  { isLost: true, answer: (response) => response.destroy() },
  { isLost: true, answer: (response) => response.writeHead(500).end() },
  { isLost: true, answer: (response) => response.writeHead(503, { 'Retry-After': '1' }).end('busy') },
  { isLost: true, answer: (response) => response.writeHead(307, { Location: ELSEWHERE }).end() },
  { isLost: true, answer: raw('SSH-2.0-OpenSSH_9.6\r\n') },
  { answer: (response) => response.destroy() }, // processed, but nobody is told
  { answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut') },
  { answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\ncut') },
  { answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more than that') },
  { answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n') },
];
