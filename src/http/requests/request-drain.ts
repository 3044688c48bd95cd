import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as afterPoll, setTimeout as pause } from 'node:timers/promises';
import { JobWorker } from '../../platform/jobs/job-worker';

/**
 * How long open requests and running jobs may take to finish when the service stops
 * (docs/contract.md, Shutdown: 30 seconds, with the connections' end).
 */
const DRAIN_MS = 28_000;
const LOOK_AGAIN_MS = 20;
/**
 * How long no request must have been open before connections are cut: clients that send one after
 * the other get one more answer, which says so.
 */
const QUIET_MS = 200;
/**
 * A round of the event loop that is shorter leaves hardly any time in which somebody connects; how
 * long one is waited for.
 */
const SHORT_ROUND_MS = 0.5;
const SHORT_ROUND_WITHIN_MS = 1000;

/**
 * Counts open requests, and on shutdown waits for them and for the jobs: from then on the service
 * is not ready, and connections are not kept.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  stopping = false;
  /** Whether, when it stopped, all requests and jobs had come to their end. */
  finished = true;
  private readonly open = new Set<Response>();
  /**
   * Nobody new is let in. Until then connections are kept: who had to make another one would stand
   * before a closed door.
   */
  private isClosed = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly worker: JobWorker,
  ) {}

  /** A request begins. */
  enter(response: Response): void {
    this.open.add(response);
    if (this.isClosed) response.setHeader('Connection', 'close');
  }

  /** A request has ended. */
  leave(response: Response): void {
    this.open.delete(response);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const finished = await Promise.all([this.drain(), this.worker.stop(DRAIN_MS)]);
    this.finished = finished.every(Boolean);
  }

  /**
   * Nobody new is let in, and whoever is in gets an answer. A connection is closed right after
   * everything that has arrived was read (Node reads, then calls who waits for `setImmediate`), or
   * what is in its buffers would be lost.
   * @returns whether all requests were answered in time
   */
  private async drain(): Promise<boolean> {
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    const deadline = performance.now() + DRAIN_MS;
    await allAreIn();
    // the HTTP server's own `close` would also cut connections between two requests
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
    server.closeAllConnections(); // also those that have never sent a request, which nothing else would end
    return this.open.size === 0;
  }
}

/**
 * Waits until everybody who has connected was let in, as far as can be: who waits for that while
 * the port closes is reset, with a request that may have been sent. Connections are taken once in a
 * round of the event loop, so the port is closed right after a short one.
 */
async function allAreIn(): Promise<void> {
  const deadline = performance.now() + SHORT_ROUND_WITHIN_MS;
  for (let round = performance.now(); round < deadline; round = performance.now()) {
    await afterPoll();
    if (performance.now() - round < SHORT_ROUND_MS) return;
  }
}
