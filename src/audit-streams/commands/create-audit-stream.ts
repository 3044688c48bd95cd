import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditRetention, CompleteAuditEntries } from '../../audit/audit.api';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { firstIdAt } from '../../platform/ids';
import { err, ok, type Result } from '../../platform/result';
import { EndpointAddress, EndpointKeys, ReceiverGrants } from '../../webhooks/webhooks.api';
import { AuditStreamCreated } from '../audit-streams.events';
import { AuditStreamFailures } from '../audit-streams.failures';
import { AuditStreamRepository } from '../data/audit-stream.repository';
import { streamSummary } from '../data/audit-streams.columns';
import { FIRST_PLACE } from '../domain/audit-batch';
import {
  AuditStream,
  MOST_STREAMS,
  NEEDED_TO_STREAM,
  type StreamDetails,
  type StreamStart,
} from '../domain/audit-stream';
import type { AuditStreamWithSecretView } from '../http/views/audit-streams.views';
import { StreamAuthorization } from '../services/stream-authorization';

/** A stream to be created. */
interface NewStream extends StreamDetails {
  /** The header Authorization; null: none. */
  readonly authorization: string | null;
  /** The time of the first entry; absent: from now on. */
  readonly from?: Date;
}

/**
 * Adds a stream to the active tenant. WEBHOOK_URL_NOT_ALLOWED, LIMIT_REACHED; PERMISSION_NOT_HELD
 * if the actor may not read the log; CONFLICT at a host at which an operator has disabled a stream
 * or a webhook endpoint.
 */
export class CreateAuditStream extends Command<
  Result<
    AuditStreamWithSecretView,
    'CONFLICT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'WEBHOOK_URL_NOT_ALLOWED'
  >
> {
  constructor(
    readonly actor: TenantActor,
    readonly details: NewStream,
  ) {
    super();
  }
}

@CommandHandler(CreateAuditStream)
export class CreateAuditStreamHandler implements ICommandHandler<CreateAuditStream> {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly entries: CompleteAuditEntries,
    private readonly retention: AuditRetention,
    private readonly address: EndpointAddress,
    private readonly grants: ReceiverGrants,
    private readonly keys: EndpointKeys,
    private readonly authorization: StreamAuthorization,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, details: { from, authorization, ...details } }: CreateAuditStream) {
    const { tenantId } = actor;
    const allowed = this.address.check(details.url);
    if (!allowed.ok) return allowed;
    const earliest = from && (await this.withinLog(tenantId, from));
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const held = await this.grants.heldBy(actor);
        if (!held.includes(NEEDED_TO_STREAM)) return err(AuditStreamFailures.notReader);
        if ((await this.streams.count(tenantId)) >= MOST_STREAMS) return err(AuditStreamFailures.tooManyStreams);
        if (await this.streams.isStopped(tenantId, details.url)) return err(AuditStreamFailures.disabledByOperator);
        const start = await this.startAt(earliest);
        const stream = AuditStream.create(tenantId, actor.userId, details, start, this.clock.now());
        const secret = this.keys.renew(stream, null);
        this.authorization.set(stream, authorization);
        await this.streams.add(stream);
        await this.events.publish(new AuditStreamCreated(actor, stream));
        return ok({ ...streamSummary(stream), secret });
      },
      'serial',
    );
  }

  /** Not before the log begins, and not later than now: a look would read what it must skip. */
  private async withinLog(tenantId: string, from: Date): Promise<Date> {
    const start = await this.retention.startOf(tenantId);
    return new Date(Math.max(start.getTime(), Math.min(from.getTime(), this.clock.now().getTime())));
  }

  /** Starts with the entries of running transactions, this one included. */
  private async startAt(from: Date | undefined): Promise<StreamStart> {
    if (from) return { after: FIRST_PLACE, sinceId: firstIdAt(from) };
    return { after: { ...FIRST_PLACE, position: await this.entries.horizon() }, sinceId: FIRST_PLACE.id };
  }
}
