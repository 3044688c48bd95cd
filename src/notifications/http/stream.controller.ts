import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SignedIn } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { FailureException } from '../../http/responses/http-status';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { NotificationStreams } from '../services/notification-streams';
import { ListNewNotifications } from '../queries/list-new-notifications';
import { NotificationStream } from './notification-stream';
import { StreamTiming } from './stream-timing';

/**
 * What we send as id of an event: it fits a bigint, and anything else is as if nothing was seen.
 */
const POSITION = /^\d{1,18}$/;

const EXAMPLE =
  'id: 1042\nevent: notification\ndata: {"id":"0194…","kind":"MemberInvited","data":{…},"createdAt":"…","readAt":null}\n\n';

@ApiTags('notifications')
@Controller('notifications/stream')
export class StreamController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: NotificationStreams,
    private readonly timing: StreamTiming,
    private readonly revokedTokens: RevokedTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers with a stream that ends when the client leaves, the token expires, its session ends, or
   * the service stops.
   */
  @Get()
  @SignedIn()
  @ApiOperation({
    summary: 'New notifications as they come, as server-sent events',
    description:
      'Each event is a notification as in the list; its id is the place to resume from. After an interruption send it as Last-Event-ID, and nothing ' +
      'is missed; anything that is no such id begins with what comes from now on. The stream ends when the ' +
      'access token expires or its session ends; connect again with a fresh one. A comment comes every 20 seconds as sign of life.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that was seen',
    schema: { type: 'string' },
  })
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description: 'The stream',
    content: { 'text/event-stream': { schema: { type: 'string', example: EXAMPLE } } },
  })
  async streamNotifications(
    @CurrentActor() actor: Actor,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    // Express answers it with this route; it has no body
    if (request.method === 'HEAD') return void response.type('text/event-stream').end();
    const newest = await this.newest(actor);
    const start = POSITION.test(lastEventId ?? '') && BigInt(lastEventId!) < BigInt(newest) ? lastEventId! : newest;
    if (response.closed) return;
    const read = (position: string) =>
      this.streams.read(() => this.queries.execute(new ListNewNotifications(actor, position)));
    const stream = new NotificationStream(response, start, read);
    stream.begin();
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
    stream.wake(); // also for what came before it was added
  }

  /** The place of the newest notification there is; after it nothing can have been seen. */
  private async newest(actor: Actor): Promise<string> {
    const found = await this.queries.execute(new ListNewNotifications(actor, undefined));
    if (!found.ok) throw new FailureException(found.failure);
    return found.value.position;
  }

  private isExpired({ expiresAt }: Actor): boolean {
    return this.clock.now().getTime() >= expiresAt * 1000;
  }
}
