import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REVOCATION_SECONDS } from '../../http/access/revoked-tokens';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Rows per run: keeps each statement short. */
const BATCH = 5000;
/**
 * How long expired links and sessions are kept, so that their use answers that they have expired
 * (docs/contract.md, One-time tokens).
 */
const EXPIRED_RETENTION_SECONDS = 30 * DAY;
/**
 * How far back a run looks for used tokens among those that are kept. It runs daily; tokens that a
 * longer outage left are deleted after the retention period.
 */
const USED_LOOKBACK_SECONDS = 3 * DAY;

/**
 * Deletes expired one-time tokens, refresh tokens, sessions whose last token is among them, and
 * used states of provider sign-ins. Enqueues itself again while there are more.
 */
@Job('purge-expired')
@Schedule('23 3 * * *')
export class PurgeExpired extends Command<Result> {}

@CommandHandler(PurgeExpired)
export class PurgeExpiredHandler implements ICommandHandler<PurgeExpired> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    const expired = addSeconds(now, -EXPIRED_RETENTION_SECONDS);
    const usedSince = addSeconds(now, -USED_LOOKBACK_SECONDS);
    return this.unitOfWork.transaction(async () => {
      const links = await this.unitOfWork.query(PURGE_ONE_TIME_TOKENS, [expired, BATCH]);
      const tokens = await this.unitOfWork.query<{ sessionId: string }>(PURGE_REFRESH_TOKENS, [
        now,
        expired,
        usedSince,
        BATCH,
      ]);
      await this.unitOfWork.query(PURGE_SESSIONS, [tokens.map(({ sessionId }) => sessionId)]);
      const revocations = await this.unitOfWork.query(PURGE_REVOCATIONS, [addSeconds(now, -REVOCATION_SECONDS), BATCH]);
      const states = await this.unitOfWork.query(PURGE_SIGN_IN_STATES, [now, BATCH]);
      if ([links, tokens, revocations, states].some(({ length }) => length >= BATCH))
        await this.jobs.enqueue(new PurgeExpired());
      return ok();
    });
  }
}

const PURGE_ONE_TIME_TOKENS = `
  DELETE FROM one_time_tokens WHERE token_hash IN (
    SELECT token_hash FROM one_time_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
  RETURNING user_id`;

/**
 * Used tokens, and rows of access tokens only, are deleted as soon as they expire, because there
 * are many of them. The last token of a session is kept for the retention period. $3 bounds the
 * second part, so that it does not read all tokens of that period.
 */
const PURGE_REFRESH_TOKENS = `
  DELETE FROM refresh_tokens WHERE id IN (
    (SELECT id FROM refresh_tokens WHERE expires_at <= $2 ORDER BY expires_at LIMIT $4)
    UNION ALL
    (SELECT id FROM refresh_tokens WHERE expires_at <= $1 AND expires_at > $3 AND (is_revoked OR token_hash IS NULL)
      ORDER BY expires_at LIMIT $4))
  RETURNING session_id AS "sessionId"`;

/**
 * A session is deleted together with its last token. Sessions are found only by the tokens that
 * were deleted just now; a session that is missed here would never be deleted.
 */
const PURGE_SESSIONS = `
  DELETE FROM sessions s WHERE id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM refresh_tokens t
    WHERE t.session_id = s.id)`;

const PURGE_REVOCATIONS = `
  DELETE FROM access_revocations WHERE id IN (
    SELECT id FROM access_revocations WHERE revoked_at <= $1 ORDER BY revoked_at LIMIT $2)
  RETURNING id`;

const PURGE_SIGN_IN_STATES = `
  DELETE FROM used_sign_in_states WHERE state_hash IN (
    SELECT state_hash FROM used_sign_in_states WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
  RETURNING state_hash`;
