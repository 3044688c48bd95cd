import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { Log } from '../platform/log';
import { Metrics } from '../platform/metrics';

/** Observes every request when it ends: one log line, one measurement. Addresses are logged without their query, which may hold a token. */
@Injectable()
export class RequestEnd {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'How long requests took, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [metrics],
    });
  }

  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - start;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      const { method, path } = request;
      this.duration.observe({ method, route, status: response.statusCode }, milliseconds / 1000);
      this.log.info(
        { method, path, status: response.statusCode, ms: Math.round(milliseconds * 10) / 10, aborted: response.writableFinished ? undefined : true },
        'request',
      );
    });
    next();
  };
}
