import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../../http/access/access.guard';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { signatureIn } from '../../../http/requests/webhook-body.middleware';
import { Clock } from '../../../platform/clock';
import { err, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import { BillingMetrics } from '../../subscriptions/services/billing-metrics';
import { ReceiveWebhookEvent } from '../commands/receive-webhook-event';
import { eventOf } from '../../stripe/stripe-event';
import { WebhookSignature } from '../../stripe/webhook-signature';

/**
 * Where the payment processor tells what has happened (specification, Events). Open to anyone, and
 * good for who can sign.
 */
@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly signature: WebhookSignature,
    private readonly metrics: BillingMetrics,
    private readonly clock: Clock,
  ) {}

  @Post(['stripe', 'processor'])
  @Public()
  @ApiHeader({
    name: 'Stripe-Signature',
    required: false,
    description: '`t=<seconds>,v1=<HMAC-SHA256 of "t.body">`; Processor-Signature is taken too',
  })
  @ApiBody({
    schema: { type: 'object', additionalProperties: true },
    description: 'An event of the processor, at most 1 MB',
  })
  @Responds({
    summary: 'Take an event of the payment processor',
    description: 'Every event that is properly signed is stored and answered with 200, repeated and unknown ones too.',
    data: null,
    failures: [BillingFailures.invalidSignature, BillingFailures.unavailable],
  })
  async receiveEvent(@Req() request: Request): Promise<Result<unknown>> {
    const body: unknown = request.body;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0); // no body at all
    const payload = this.signature.read(bytes, signatureIn(request));
    if (!payload.ok) return payload;
    const event = eventOf(payload.value);
    if (!event) return err(BillingFailures.invalidSignature);
    this.metrics.received(event.createdAt, this.clock.now());
    return this.commands.execute(new ReceiveWebhookEvent(event, bytes.toString()));
  }
}
