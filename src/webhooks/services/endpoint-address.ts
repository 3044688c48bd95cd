import { Injectable } from '@nestjs/common';
import { AddressPolicy } from '../../platform/outbound/address-policy';
import { err, ok, type Result } from '../../platform/result';
import { WebhookFailures } from '../webhooks.failures';

/** Checks addresses that members give. */
@Injectable()
export class EndpointAddress {
  constructor(private readonly policy: AddressPolicy) {}

  /**
   * WEBHOOK_URL_NOT_ALLOWED with a message that names the rule. The addresses of a name are checked
   * with each connection, because they can change.
   */
  check(url: string | undefined): Result<void, 'WEBHOOK_URL_NOT_ALLOWED'> {
    const parsed = url === undefined ? undefined : this.policy.parse(url);
    if (!parsed || parsed.ok) return ok();
    return err({ ...WebhookFailures.urlNotAllowed, message: parsed.failure.message });
  }
}
