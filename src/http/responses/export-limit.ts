import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { Caller } from '../access/actor';
import { RevokedTokens } from '../access/revoked-tokens';
import { RateLimitMetrics } from '../rate-limits/rate-limit-metrics';
import { whenEnded } from '../requests/response-end';
import { ExportTiming } from './export-timing';
import { OpenExport } from './open-export';

/** Exports at a time on one instance: each keeps a page of rows in memory. */
const MAX_EXPORTS = 8;
/** Exports at a time of one tenant or operator. */
const MAX_EXPORTS_OF_PARTY = 2;
const RETRY_SECONDS = 30;

const TOO_MANY = {
  ...PlatformFailures.rateLimited,
  message: 'Too many exports are running. Try again when one of them has ended.',
  retryAfter: RETRY_SECONDS,
};

/** The open exports of this instance: limits their number, and cuts those that take too long. */
@Injectable()
export class ExportLimit implements OnModuleDestroy {
  private readonly open = new Set<OpenExport>();
  private isStopping = false;

  constructor(
    private readonly timing: ExportTiming,
    private readonly revokedTokens: RevokedTokens,
    private readonly rateLimitMetrics: RateLimitMetrics,
    private readonly log: Log,
  ) {}

  /** From now on a stalled export does not delay the shutdown, which waits for open requests. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Counts an export until its response has ended, whatever ends it. It is cut when the client
   * reads nothing, when it takes too long, and when the caller's session ends. RATE_LIMITED.
   * @param party the tenant or operator whose export it is
   */
  begin(actor: Caller, party: string, response: Response): Result<void, 'RATE_LIMITED'> {
    const ofParty = [...this.open].filter((other) => other.party === party);
    if (this.open.size >= MAX_EXPORTS || ofParty.length >= MAX_EXPORTS_OF_PARTY) {
      this.rateLimitMetrics.count('exports');
      return err(TOO_MANY);
    }
    const opened = new OpenExport(party, response);
    this.open.add(opened);
    const { requestId } = currentContext();
    const cut = (reason: string) => {
      this.log.info({ event: 'export.cut', requestId, userId: actor.userId, reason }, 'An export was aborted');
      opened.cut();
    };
    const timer = setInterval(() => {
      const reason = opened.overdue(this.isStopping ? this.timing.stopping : this.timing.usual);
      if (reason) cut(reason);
    }, this.timing.checkMs);
    const unlisten = this.revokedTokens.whenRevoked(actor, () => cut('session-ended'));
    whenEnded(response, () => {
      clearInterval(timer);
      unlisten();
      this.open.delete(opened);
    });
    return ok();
  }
}
