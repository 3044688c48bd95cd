import { Inject, Injectable } from '@nestjs/common';
import { verify } from 'node:crypto';
import { SETTINGS, type Settings } from '../../config/settings';
import type { LeakReportSender } from '../../http/requests/signed-body.middleware';
import { PlatformFailures, invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { leakedTokensIn, type LeakedToken } from '../domain/leak-report';
import { KeyFailures } from '../keys.failures';
import { LeakReportKeys } from './leak-report-keys';

/** Reads reports that GitHub has signed: ECDSA with P-256 and SHA-256 over the body. */
@Injectable()
export class LeakReportSignature {
  constructor(
    private readonly keys: LeakReportKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The reported tokens. NOT_FOUND if reports are not accepted, INVALID_SIGNATURE, UNAVAILABLE if
   * the public keys cannot be read, VALIDATION_ERROR for another form.
   * @param sender undefined if the headers cannot be those of a report
   */
  async read(
    body: Buffer,
    sender: LeakReportSender | undefined,
  ): Promise<Result<LeakedToken[], 'NOT_FOUND' | 'INVALID_SIGNATURE' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>> {
    if (!this.settings.githubLeakKeysUrl) return err(PlatformFailures.notFound);
    if (!sender) return err(KeyFailures.invalidSignature);
    const key = await this.keys.find(sender.keyId);
    if (!key.ok) return key;
    const isSigned = verify('sha256', body, { key: key.value, dsaEncoding: 'der' }, sender.signature);
    if (!isSigned) return err(KeyFailures.invalidSignature);
    const tokens = leakedTokensIn(body.toString());
    return tokens ? ok(tokens) : err(invalid({ body: ['must be a list of at most 1000 tokens'] }));
  }
}
