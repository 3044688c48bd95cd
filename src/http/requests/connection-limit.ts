import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Counter, Gauge } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { Metrics } from '../../platform/observability/metrics';

/**
 * Limits the open connections of clients to MAX_CONNECTIONS. A connection beyond the limit is closed
 * unread, and so are all idle ones, whose clients connect again: idle connections refuse nobody for
 * long. Node closes those that never send a request after a minute.
 */
@Injectable()
export class ConnectionLimit implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const registers = [this.metrics];
    const connections = promisify(server.getConnections.bind(server));
    new Gauge({
      name: 'http_connections_open',
      help: 'Open connections of clients',
      registers,
      async collect() {
        this.set(await connections());
      },
    });
    const refused = new Counter({
      name: 'http_connections_refused_total',
      help: 'Connections closed because MAX_CONNECTIONS were open',
      registers,
    });
    server.maxConnections = this.settings.maxConnections;
    server.on('drop', () => {
      refused.inc();
      server.closeIdleConnections();
    });
  }
}
