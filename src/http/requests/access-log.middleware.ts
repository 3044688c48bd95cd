import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { currentContext } from '../../platform/observability/request-context';
import { isPerson, type Caller } from '../access/actor';
import { RequestDrain } from './request-drain';
import { whenEnded } from './response-end';

/** The logged status when the client did not wait for the response. */
const CLIENT_LEFT = 499;

/**
 * Load balancers check health every few seconds; responses of 200 are only logged at level debug.
 */
const HEALTH = /^\/api\/v1\/health\//;

/**
 * Logs and measures each request when it ends. Paths are logged without the query, which may hold a
 * token.
 */
@Injectable()
export class AccessLog {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;
  private readonly log: Pick<Log, 'info' | 'debug'>;

  constructor(
    metrics: Metrics,
    log: Log,
    private readonly requestDrain: RequestDrain,
  ) {
    this.log = log.child({}, { redact: [] }); // the fields are known, and none is secret
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
    const { ip } = currentContext();
    this.requestDrain.enter(response);
    whenEnded(response, () => {
      this.requestDrain.leave(response);
      const milliseconds = performance.now() - start;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      const { method, path } = request;
      const isStream = response.getHeader('Content-Type')?.toString().startsWith('text/event-stream') ?? false;
      // streams end when the client leaves
      const status = response.writableFinished || isStream ? response.statusCode : CLIENT_LEFT;
      // the duration of a stream has no meaning
      if (!isStream) this.duration.observe({ method, route, status }, milliseconds / 1000);
      const caller = request.identity?.ok ? request.identity.value : undefined;
      this.log[status === 200 && HEALTH.test(path) ? 'debug' : 'info'](
        {
          event: 'request.completed',
          method,
          path,
          status,
          ms: Math.round(milliseconds * 10) / 10,
          ip,
          userId: caller?.userId ?? undefined,
          tenantId: caller?.tenantId,
          ...(caller && keyFields(caller)),
        },
        'Request completed',
      );
    });
    next();
  };
}

/** Whose key was used; nothing for people. */
const keyFields = (caller: Caller) =>
  isPerson(caller)
    ? undefined
    : { principalKind: caller.principal.kind, principalId: caller.principal.id, keyId: caller.tokenId };
