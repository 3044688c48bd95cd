import { Injectable } from '@nestjs/common';

/**
 * How often a stream shows that it lives, and looks whether its token still does. Proxies cut what
 * is silent for a minute.
 */
@Injectable()
export class StreamTiming {
  readonly heartbeatMs: number = 20_000;
}
