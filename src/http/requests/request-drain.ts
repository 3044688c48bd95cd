import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as afterPoll, setTimeout as pause } from 'node:timers/promises';
import { JobWorker } from '../../platform/jobs/job-worker';
import { ConnectionLimit } from './connection-limit';

/**
 * Milliseconds that open requests and running jobs may take when the service stops
 * (docs/contract.md, Shutdown: 30 seconds in all).
 */
const DRAIN_MS = 28_000;
const LOOK_AGAIN_MS = 20;
/**
 * Milliseconds without open requests before connections are cut: clients that send requests in
 * sequence get one more response, which closes the connection.
 */
const QUIET_MS = 200;
/** Milliseconds. In a shorter round of the event loop hardly any client connects. */
const SHORT_ROUND_MS = 0.5;
const SHORT_ROUND_WITHIN_MS = 1000;

/**
 * Counts open requests. On shutdown it makes the service not ready, stops keeping connections
 * alive, and waits for requests and jobs.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  /** Whether the service is stopping: it is not ready, but may still take requests. */
  stopping = false;
  /** Whether all requests and jobs finished before the service stopped. */
  finished = true;
  private readonly open = new Set<Response>();
  /**
   * Whether the port is closed. Until then connections are kept alive, because a client could not
   * open a new one afterwards.
   */
  private isClosed = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly worker: JobWorker,
    private readonly connectionLimit: ConnectionLimit,
  ) {}

  /** Counts a request that starts. */
  enter(response: Response): void {
    this.open.add(response);
    if (this.isClosed || this.isLast(response)) response.setHeader('Connection', 'close');
  }

  /** Counts a request that ends. */
  leave(response: Response): void {
    this.open.delete(response);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const finished = await Promise.all([this.drain(), this.worker.stop(DRAIN_MS)]);
    this.finished = finished.every(Boolean);
  }

  /**
   * Whether connections are scarce. A request with a body is not the last: if it is refused before
   * its body has arrived, the client would see a reset instead of the response.
   */
  private isLast({ req: { method } }: Response): boolean {
    return method === 'GET' && !this.connectionLimit.keepsConnections;
  }

  /**
   * Closes the port and finishes open requests. A connection is closed after everything that has
   * arrived was read (Node reads before it runs `setImmediate`), or the requests in its buffers
   * would be lost.
   * @returns whether all requests were finished in time
   */
  private async drain(): Promise<boolean> {
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    const deadline = performance.now() + DRAIN_MS;
    await allAreIn();
    // the HTTP server's own `close` would also cut idle connections
    Server.prototype.close.call(server);
    this.isClosed = true;
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
    for (
      let quietSince = performance.now();
      performance.now() - quietSince < QUIET_MS && performance.now() < deadline;
    ) {
      await pause(LOOK_AGAIN_MS);
      if (this.open.size > 0) quietSince = performance.now();
    }
    await afterPoll();
    server.closeAllConnections(); // includes connections that never sent a request, which nothing else would close
    return this.open.size === 0;
  }
}

/**
 * Waits until pending connections are accepted, as far as possible: a client in the backlog is
 * reset when the port closes, and its request may have been sent. The event loop accepts
 * connections once per round, so the port is closed right after a short round.
 */
async function allAreIn(): Promise<void> {
  const deadline = performance.now() + SHORT_ROUND_WITHIN_MS;
  for (let round = performance.now(); round < deadline; round = performance.now()) {
    await afterPoll();
    if (performance.now() - round < SHORT_ROUND_MS) return;
  }
}
