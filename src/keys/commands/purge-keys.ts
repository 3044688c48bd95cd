import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which a key stays listed after it has expired or was revoked. */
const RETENTION_SECONDS = 30 * DAY;
const KEYS = { table: 'api_keys', key: ['tenant_id', 'id'] };

/**
 * Removes keys of all tenants that expired or were revoked long ago. Enqueues itself again while
 * there is more.
 */
@Job('purge-keys')
@Schedule('29 3 * * *')
export class PurgeKeys extends Command<Result> {}

@CommandHandler(PurgeKeys)
export class PurgeKeysHandler implements ICommandHandler<PurgeKeys> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.purge.run(new PurgeKeys(), { ...KEYS, by: 'revoked_at', until }, { ...KEYS, by: 'expires_at', until });
  }
}
