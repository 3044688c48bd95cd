import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { of } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { isNavigation, Redirect } from '../../http/responses/redirect';
import { FindLinkOwner } from '../queries/find-link-owner';
import { confirmationPageUrl, type SignInLinkPurpose } from '../services/mailed-link-urls';
import { SignedInMarkerCookie } from './signed-in-marker-cookie';

/**
 * Redirects an opened email link to the confirmation page of the web client, without consuming the
 * token, if signing in would replace a live session of another user (docs/contract.md, Identity
 * providers). With MAIL_LINKS=confirm it always redirects, for links mailed before it was set.
 */
export function confirmLink(purpose: SignInLinkPurpose): Type<NestInterceptor> {
  @Injectable()
  class LinkConfirmationInterceptor implements NestInterceptor {
    constructor(
      private readonly signedIn: SignedInMarkerCookie,
      private readonly queries: QueryBus,
      @Inject(SETTINGS) private readonly settings: Settings,
    ) {}

    async intercept(context: ExecutionContext, next: CallHandler) {
      const request = context.switchToHttp().getRequest<Request>();
      const { token } = request.query;
      if (typeof token !== 'string' || !(await this.needsConfirmation(request, token))) return next.handle();
      return of(Redirect.to(confirmationPageUrl(this.settings, purpose, encodeURIComponent(token))));
    }

    private async needsConfirmation(request: Request, token: string): Promise<boolean> {
      if (this.settings.mail.links === 'confirm' && isNavigation(request)) return true;
      if (!this.signedIn.isSet(request)) return false;
      const owner = await this.queries.execute(new FindLinkOwner(purpose, token));
      return owner.ok && owner.value !== undefined && this.signedIn.namesAnother(request, owner.value);
    }
  }
  return LinkConfirmationInterceptor;
}
