import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../../http/access/access.decorators';
import { StoresAnswer } from '../../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { signatureIn } from '../../../http/requests/signed-body.middleware';
import { Clock } from '../../../platform/clock';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import { BillingMetrics } from '../../subscriptions/services/billing-metrics';
import { ReceiveWebhookEvent } from '../commands/receive-webhook-event';
import { eventOf } from '../../stripe/stripe-event';
import { isFields, textOf } from '../../stripe/stripe-fields';
import { WebhookSignature } from '../../stripe/webhook-signature';

/**
 * Receives Stripe events (docs/specification.md, Events). The route is public; the signature
 * authenticates the sender.
 */
@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly signature: WebhookSignature,
    private readonly metrics: BillingMetrics,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @Post(['stripe', 'processor'])
  @StoresAnswer('never')
  @Public()
  @ApiHeader({
    name: 'Stripe-Signature',
    required: false,
    description: '`t=<seconds>,v1=<HMAC-SHA256 of "t.body">`; Processor-Signature is accepted too',
  })
  @ApiBody({
    schema: { type: 'object', additionalProperties: true },
    description: 'A Stripe event, at most 1 MB',
  })
  @Responds({
    summary: 'Receive a Stripe event',
    description: 'Every correctly signed event is stored and answered with 200, including repeated and unknown ones.',
    data: null,
    failures: [BillingFailures.invalidSignature, BillingFailures.unavailable],
  })
  async receiveEvent(@Req() request: Request) {
    const body: unknown = request.body;
    const text = Buffer.isBuffer(body) ? body.toString() : ''; // no body at all
    const payload = this.signature.read(text, signatureIn(request));
    if (!payload.ok) return payload;
    const event = eventOf(payload.value);
    if (!event) return this.ignoreOtherShape(payload.value);
    this.metrics.received(event.createdAt, this.clock.now());
    return this.commands.execute(new ReceiveWebhookEvent(event, text));
  }

  /** The sender is Stripe, so it must not repeat this: a thin event, for example, has no object. */
  private ignoreOtherShape(payload: unknown): Result<void, never> {
    const { id, type } = isFields(payload) ? payload : {};
    this.log.warn(
      { event: 'stripe.event_ignored', eventId: textOf(id), type: textOf(type) },
      'A signed event of Stripe was ignored: it is no snapshot event',
    );
    return ok();
  }
}
