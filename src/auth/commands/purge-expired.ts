import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REVOCATION_SECONDS } from '../../http/access/revoked-tokens';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Rows per run: small enough for one short statement. */
const BATCH = 5000;
/**
 * How long an expired link or session is known, so that its refusal says that it has expired
 * (contract section 11).
 */
const TOLD_SECONDS = 30 * DAY;
/**
 * How far back a run looks for spent tokens among those that are kept: it runs daily. What longer
 * breaks left goes with the others.
 */
const SPENT_SECONDS = 3 * DAY;

/**
 * Removes what has expired: one-time tokens, refresh tokens, sessions whose last token is among
 * them, and the states of flows at identity providers. Repeats itself while there is more.
 */
@Job('purge-expired')
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
    const [told, spent] = [addSeconds(now, -TOLD_SECONDS), addSeconds(now, -SPENT_SECONDS)];
    return this.unitOfWork.transaction(async () => {
      const mailed = await this.unitOfWork.query(PURGE_ONE_TIME_TOKENS, [told, BATCH]);
      const tokens = await this.unitOfWork.query<{ sessionId: string }>(PURGE_REFRESH_TOKENS, [
        now,
        told,
        spent,
        BATCH,
      ]);
      await this.unitOfWork.query(PURGE_SESSIONS, [tokens.map(({ sessionId }) => sessionId)]);
      const revocations = await this.unitOfWork.query(PURGE_REVOCATIONS, [addSeconds(now, -REVOCATION_SECONDS), BATCH]);
      const states = await this.unitOfWork.query(PURGE_SIGN_IN_STATES, [now, BATCH]);
      if ([mailed, tokens, revocations, states].some(({ length }) => length >= BATCH))
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
 * Those that were spent, or are none to refresh with, go when they expire, and are many; the last
 * of a session is kept to tell that it has expired. A month of these is not walked through to find
 * yesterday's spent ones.
 */
const PURGE_REFRESH_TOKENS = `
  DELETE FROM refresh_tokens WHERE id IN (
    (SELECT id FROM refresh_tokens WHERE expires_at <= $2 ORDER BY expires_at LIMIT $4)
    UNION ALL
    (SELECT id FROM refresh_tokens WHERE expires_at <= $1 AND expires_at > $3 AND (is_revoked OR token_hash IS NULL)
      ORDER BY expires_at LIMIT $4))
  RETURNING session_id AS "sessionId"`;

/**
 * A session goes with its last token, by which alone it is found: one statement that removed more
 * tokens than it looked at would leave some for ever.
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
