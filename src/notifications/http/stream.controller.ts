import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { FailureException } from '../../http/responses/http-status';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { ConnectionLimit } from '../../http/requests/connection-limit';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { NotificationStreams } from '../services/notification-streams';
import { ListNewNotifications } from '../queries/list-new-notifications';
import { NotificationStream } from './notification-stream';
import { StreamTiming } from './stream-timing';

/** The form of the event ids we send; it fits a bigint. Any other value is ignored. */
const POSITION = /^\d{1,18}$/;

const TOO_MANY = {
  ...PlatformFailures.unavailable,
  message: 'Too many connections are open. Try again later.',
  retryAfter: 30,
};

const EXAMPLE =
  'id: 1041\nevent: connected\ndata: {}\n\n' +
  'id: 1042\nevent: notification\ndata: ' +
  '{"id":"0194…","kind":"MemberInvited","data":{…},"createdAt":"…","readAt":null}\n\n';

@ApiTags('notifications')
@Controller('notifications/stream')
export class StreamController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: NotificationStreams,
    private readonly timing: StreamTiming,
    private readonly revokedTokens: RevokedTokens,
    private readonly connectionLimit: ConnectionLimit,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a stream that ends when the client disconnects, the token expires, the session ends or
   * the service stops.
   */
  @Get()
  @SignedIn()
  @ApiOperation({
    summary: 'Stream notifications',
    description:
      'Sends new notifications as server-sent events, and a comment every 20 seconds. The first event, `connected`, ' +
      'has only the id from which the stream starts. After an interruption, send the id of the last event as ' +
      'Last-Event-ID to receive everything since; without a valid id the stream starts with the next notification. ' +
      'It ends when the access token expires or its session ends; reconnect with a new token. UNAVAILABLE while the ' +
      'instance has too many open connections.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Id of the last event received',
    schema: { type: 'string' },
  })
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description: 'The event stream',
    content: { 'text/event-stream': { schema: { type: 'string', example: EXAMPLE } } },
  })
  async streamNotifications(
    @CurrentActor() actor: Actor,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    // Express routes HEAD here; the response has no body
    if (request.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    if (!this.connectionLimit.admitsStreams) throw new FailureException(TOO_MANY);
    const newest = await this.newest(actor);
    const start = POSITION.test(lastEventId ?? '') && BigInt(lastEventId!) < BigInt(newest) ? lastEventId! : newest;
    if (response.closed) return;
    const read = (position: string) =>
      this.streams.read(() => this.queries.execute(new ListNewNotifications(actor, position)));
    const stream = new NotificationStream(response, start, read);
    stream.start();
    const remove = this.streams.add(actor.userId, stream);
    const heartbeat = setInterval(
      () => (this.isExpired(actor) ? stream.end() : stream.heartbeat()),
      this.timing.heartbeatMs,
    );
    const unlisten = this.revokedTokens.whenRevoked(actor, () => stream.end());
    response.once('close', () => {
      clearInterval(heartbeat);
      unlisten();
      remove();
    });
    stream.wake(); // reads what arrived before the stream was registered
  }

  /** The position of the newest notification; no client can have seen a later one. */
  private async newest(actor: Actor): Promise<string> {
    const found = await this.queries.execute(new ListNewNotifications(actor, undefined));
    if (!found.ok) throw new FailureException(found.failure);
    return found.value.position;
  }

  private isExpired({ expiresAt }: Actor): boolean {
    return this.clock.now().getTime() >= expiresAt * 1000;
  }
}
