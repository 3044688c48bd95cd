import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Response } from 'express';

/** How long open requests may take to finish when the service stops (contract section 7). */
const DRAIN_MS = 30_000;
const LOOK_AGAIN_MS = 20;

/** Counts open requests, and on shutdown waits for them: from then on the service is not ready, and connections are not kept. */
@Injectable()
export class Lifecycle implements BeforeApplicationShutdown {
  stopping = false;
  private open = 0;

  constructor(private readonly host: HttpAdapterHost) {}

  /** A request begins. */
  enter(response: Response): void {
    this.open++;
    if (this.stopping) response.setHeader('Connection', 'close');
  }

  /** A request has ended. */
  leave(): void {
    this.open--;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const deadline = performance.now() + DRAIN_MS;
    while (this.open > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    server.close(); // nobody new; Nest, which closes it as well, finds it closed
    server.closeAllConnections(); // also those that have never sent a request, which nothing else would end
  }
}
