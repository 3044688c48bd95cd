import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { createServer, ServerResponse } from 'node:http';
import { boundedRequestClass } from './requests/bounded-request';

/** Milliseconds for the headers of a request, and for all of it: an upload may take 30 seconds. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 35_000, connectionsCheckingInterval: 5000 };

/**
 * Nest's adapter for Express with a server that creates requests and responses of the prototypes
 * that Express sets. Otherwise Express replaces both prototypes of each request, and V8 no longer
 * optimizes the code that uses them (docs/decisions/0041-prototypes-of-requests.md).
 */
export class ExpressPrototypeAdapter extends ExpressAdapter {
  /** @param keepAliveTimeout milliseconds for which idle connections of clients stay open */
  constructor(
    private readonly app: Express,
    private readonly keepAliveTimeout: number,
  ) {
    super(app);
  }

  override initHttpServer(): void {
    const ExpressRequest = boundedRequestClass();
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, this.app.request);
    Object.setPrototypeOf(ExpressResponse.prototype, this.app.response);
    Object.assign(this.app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
    const { keepAliveTimeout } = this;
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    this.httpServer = createServer({ ...classes, ...TIMEOUTS, keepAliveTimeout }, this.app);
  }
}
