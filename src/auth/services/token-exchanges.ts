import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, DAY } from '../../platform/clock';
import { isRefused } from '../../platform/database/database-errors';
import { GroupQueue } from '../../platform/group-queue';
import { Log } from '../../platform/observability/log';
import { currentContext, outsideOfRequests } from '../../platform/observability/request-context';
import type { TokenExchange } from '../data/session-records';
import { RefreshTokenRepository } from '../data/refresh-token.repository';
import type { SubjectMembership } from '../data/token-rotation.statements';

/**
 * While two statements are executed, further exchanges wait for the next one, in total less than
 * half a second: 64 are four times two groups.
 */
const LIMITS = { groups: 2, items: 8, waiting: 64, longestMs: 100 };
/** A failure that took longer is not repeated: the database is slow, and the client may repeat. */
const SLOW_MS = 500;

interface Waiting {
  readonly exchange: TokenExchange;
  readonly resolve: (subject: SubjectMembership | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Exchanges refresh tokens that arrive at the same time in one statement, which saves most of the
 * messages and commits (docs/decisions/0068-refreshes-in-groups.md). A group of several waits for
 * no session that another transaction has locked. An exchange that a group has left out or refused,
 * or whose group PostgreSQL has quickly refused, is repeated by itself.
 */
@Injectable()
export class TokenExchanges {
  private readonly queue = new GroupQueue<Waiting>(
    LIMITS,
    ({ exchange }) => exchange.token.id, // of one exchange only: those of one spent token do not wait for each other
    (group) => outsideOfRequests(() => this.run(group)),
  );

  constructor(
    private readonly refreshTokens: RefreshTokenRepository,
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Replaces a live refresh token by a new one of the same session.
   * @returns the user with the current membership, or undefined if the token is not live
   */
  async apply(exchange: TokenExchange): Promise<SubjectMembership | undefined> {
    const subject = await (exchange.spent.isEarlier ? this.applyAlone(exchange) : this.enqueue(exchange));
    currentContext().written?.forget(); // the statement is of no single request
    return subject;
  }

  private enqueue(exchange: TokenExchange): Promise<SubjectMembership | undefined> {
    return new Promise((resolve, reject) => {
      const isAdded = this.queue.add({ exchange, resolve, reject });
      if (!isAdded) this.applyAlone(exchange).then(resolve, reject);
    });
  }

  private async run(group: readonly Waiting[]): Promise<void> {
    const start = performance.now();
    let found: ReadonlyMap<string, SubjectMembership> = new Map();
    try {
      found = await this.rotate(group.map(({ exchange }) => exchange));
    } catch (error) {
      // what is not refused may have been committed: a repetition would find another token
      if (group.length === 1 || !isRefused(error) || performance.now() - start > SLOW_MS) {
        for (const { reject } of group) reject(error);
        return;
      }
      this.log.warn(
        { event: 'refresh.group_failed', err: error, exchanges: group.length },
        'Refreshes were rolled back, and are repeated one by one',
      );
    }
    for (const { exchange, resolve, reject } of group) {
      const subject = found.get(exchange.token.id);
      if (subject || group.length === 1) resolve(subject);
      else this.applyAlone(exchange).then(resolve, reject);
    }
  }

  private async applyAlone(exchange: TokenExchange): Promise<SubjectMembership | undefined> {
    return (await this.rotate([exchange])).get(exchange.token.id);
  }

  private rotate(exchanges: readonly TokenExchange[]) {
    return this.refreshTokens.rotate(exchanges, this.clock.now(), this.settings.sessionMaxDays * DAY);
  }
}
