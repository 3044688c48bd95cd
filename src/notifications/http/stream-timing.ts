import { Injectable } from '@nestjs/common';

/**
 * The interval at which a stream sends a heartbeat and checks that its token is still valid.
 * Proxies close connections that are silent for a minute.
 */
@Injectable()
export class StreamTiming {
  readonly heartbeatMs: number = 20_000;
}
