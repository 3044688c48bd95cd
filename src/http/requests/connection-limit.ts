import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { DropArgument, Server, Socket } from 'node:net';
import { Counter, Gauge } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { Log } from '../../platform/observability/log';
import { LogInterval } from '../../platform/observability/log-interval';
import { Metrics } from '../../platform/observability/metrics';

/**
 * The shares of MAX_CONNECTIONS beyond which no stream is opened, and beyond which a connection is
 * not kept after a response. The rest is for requests on new connections, such as health checks.
 */
const STREAMS_UP_TO = 0.6;
const KEPT_UP_TO = 0.8;

/** Limits the connections of clients to MAX_CONNECTIONS. Node closes those beyond it unread. */
@Injectable()
export class ConnectionLimit implements OnModuleInit {
  private open = 0;
  private readonly logInterval = new LogInterval();
  private readonly refused: Counter;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly log: Log,
    metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const count = () => this.open;
    new Gauge({
      name: 'http_connections_open',
      help: 'Open connections of clients',
      registers: [metrics],
      collect() {
        this.set(count());
      },
    });
    this.refused = new Counter({
      name: 'http_connections_refused_total',
      help: 'Connections closed because MAX_CONNECTIONS were open',
      registers: [metrics],
    });
  }

  get admitsStreams(): boolean {
    return this.open <= this.settings.maxConnections * STREAMS_UP_TO;
  }

  get keepsConnections(): boolean {
    return this.open <= this.settings.maxConnections * KEPT_UP_TO;
  }

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.maxConnections = this.settings.maxConnections;
    server.on('connection', (socket: Socket) => {
      this.open++;
      socket.once('close', () => this.open--);
    });
    server.on('drop', (dropped) => this.refuse(dropped));
  }

  /** Counts a connection that Node has closed. An address is logged at most once a minute. */
  private refuse(dropped?: DropArgument): void {
    this.refused.inc();
    if (!this.logInterval.isDue()) return;
    this.log.warn(
      { event: 'http.connection_refused', ip: dropped?.remoteAddress, open: this.open },
      'MAX_CONNECTIONS are open, so that a connection was closed',
    );
  }
}
