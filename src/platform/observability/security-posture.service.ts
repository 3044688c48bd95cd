import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Database } from '../database/database';
import { Log } from './log';
import { postureOf, type Posture } from './security-posture';

/** Reports the security posture: in one log line at start, and to operators. */
@Injectable()
export class SecurityPosture implements OnApplicationBootstrap {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Warnings are about production, so that other environments do not log them. */
  async onApplicationBootstrap(): Promise<void> {
    const { warnings, ...facts } = await this.read();
    const shown = facts.production ? { ...facts, warnings } : facts;
    const level = facts.production && warnings.length > 0 ? 'warn' : 'info';
    this.log[level]({ event: 'security.posture_checked', ...shown }, 'Checked the security settings');
  }

  async read(): Promise<Posture> {
    return postureOf(this.settings, await this.database.role().catch(() => undefined));
  }
}
