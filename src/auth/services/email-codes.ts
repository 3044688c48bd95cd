import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { derivedKey } from '../../platform/derived-key';
import { err, ok, type Result } from '../../platform/result';
import { AuthFailures } from '../auth.failures';
import { EmailCodeRepository } from '../data/email-code.repository';
import { EmailCode, newEmailCode, type CodePurpose } from '../domain/email-code';

/** Issues and verifies emailed codes. */
@Injectable()
export class EmailCodes {
  private readonly secret: KeyObject;

  constructor(
    private readonly codes: EmailCodeRepository,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry emailed codes');
  }

  /** A new code in place of an earlier one. @returns its digits, which are not stored */
  async issue(userId: string, purpose: CodePurpose): Promise<string> {
    const code = newEmailCode();
    await this.codes.put(EmailCode.issue(userId, purpose, this.hashOf(userId, purpose, code), this.clock.now()));
    return code;
  }

  /** Uses a code once. EMAIL_CODE_INVALID, also after three attempts. Outside of a transaction. */
  async use(userId: string, purpose: CodePurpose, code: string): Promise<Result<void, 'EMAIL_CODE_INVALID'>> {
    const open = await this.codes.countAttempt(userId, purpose, this.clock.now());
    const isCorrect = open !== undefined && timingSafeEqual(open.codeHash, this.hashOf(userId, purpose, code));
    return isCorrect && (await this.codes.use(open)) ? ok() : err(AuthFailures.emailCodeInvalid);
  }

  private hashOf(userId: string, purpose: CodePurpose, code: string): Buffer {
    return createHmac('sha256', this.secret)
      .update(JSON.stringify([userId, purpose, code]))
      .digest();
  }
}
