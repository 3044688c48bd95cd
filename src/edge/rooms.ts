import type { RequestHandler } from 'express';

/**
 * One handler that passes a request through all rooms in order, as Express would, without matching
 * its path anew for each of them.
 */
export function inOrder(rooms: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    const enter = (index: number): void => {
      if (index === rooms.length) return done();
      void rooms[index](request, response, (error?: unknown) =>
        error === undefined || error === null ? enter(index + 1) : done(error),
      );
    };
    enter(0);
  };
}
