import type { Response } from 'express';

/**
 * Calls `listener` once when a response has ended: it is finished, or its connection is closed.
 * One that waits behind another response of its connection (HTTP pipelining) has no socket yet, and
 * would not report (`close`) that the connection was closed meanwhile.
 */
export function whenEnded(response: Response, listener: () => void): void {
  const { socket } = response.req;
  const end = () => {
    response.off('close', end);
    socket.off('close', end);
    listener();
  };
  if (response.closed || socket.destroyed) return listener();
  response.once('close', end);
  if (response.socket === null) socket.setMaxListeners(0).once('close', end);
}
