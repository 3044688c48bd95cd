import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { addSeconds, Clock, DAY, HOUR } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import { Public } from '../access/access.decorators';
import { RawResponse } from '../responses/raw-response.decorator';
import { allowSharedCaching } from '../responses/shared-cache';

/** Seconds until readers should ask again; the standard recommends less than a year. */
const VALID = 180 * DAY;

/** Where to report a vulnerability (RFC 9116). NOT_FOUND without SECURITY_CONTACT. */
@Public()
@Controller('.well-known/security.txt')
export class SecurityTextController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiExcludeEndpoint()
  @RawResponse()
  securityText(@Res({ passthrough: true }) response: Response) {
    const { securityContacts, baseUrl } = this.settings;
    if (securityContacts.length === 0) return err(PlatformFailures.notFound);
    response.type('text/plain; charset=utf-8');
    allowSharedCaching(response, HOUR);
    const lines = [
      ...securityContacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${addSeconds(this.clock.now(), VALID).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}/.well-known/security.txt`,
    ];
    return `${lines.join('\n')}\n`;
  }
}
