import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../config/settings';
import { Public } from '../access/access.decorators';
import { Redirect } from '../responses/redirect';

/**
 * Leads password managers to the page on which users change their password (W3C, A Well-Known URL
 * for Changing Passwords).
 */
@Public()
@Controller('.well-known/change-password')
export class ChangePasswordController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get()
  @ApiExcludeEndpoint()
  changePassword() {
    return Redirect.to(`${this.settings.frontendUrl}/account/security`);
  }
}
