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
import { linkPage, type SigningInPurpose } from '../services/link-page';
import { FindLinkOwner } from '../queries/find-link-owner';
import { SignedInCookie } from './signed-in-cookie';

/**
 * A mailed link that is opened sends the browser to the page of the web client that asks, and uses
 * nothing up, where it would replace a living session of somebody else (contract section 11,
 * Providers), and always with MAIL_LINKS=confirm, for links that were mailed before it was set.
 */
export function confirmLink(purpose: SigningInPurpose): Type<NestInterceptor> {
  @Injectable()
  class AsksFirst implements NestInterceptor {
    constructor(
      private readonly signedIn: SignedInCookie,
      private readonly queries: QueryBus,
      @Inject(SETTINGS) private readonly settings: Settings,
    ) {}

    async intercept(context: ExecutionContext, next: CallHandler) {
      const request = context.switchToHttp().getRequest<Request>();
      const { token } = request.query;
      if (typeof token !== 'string' || !(await this.mustAsk(request, token))) return next.handle();
      return of(Redirect.to(linkPage(this.settings, purpose, encodeURIComponent(token))));
    }

    private async mustAsk(request: Request, token: string): Promise<boolean> {
      if (this.settings.mail.links === 'confirm' && isNavigation(request)) return true;
      if (!this.signedIn.isSet(request)) return false;
      const owner = await this.queries.execute(new FindLinkOwner(purpose, token));
      return owner.ok && owner.value !== undefined && this.signedIn.namesAnother(request, owner.value);
    }
  }
  return AsksFirst;
}
