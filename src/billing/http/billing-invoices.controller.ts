import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiPropertyOptional, ApiTags, OmitType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { PlatformFailures } from '../../platform/platform.failures';
import { BillingFailures } from '../billing.failures';
import { GetPaymentMethod } from '../invoices/queries/get-payment-method';
import { ListBillingInvoices } from '../invoices/queries/list-billing-invoices';
import { CallsStripe } from './calls-stripe.decorator';
import { BillingInvoiceView, PaymentMethodView } from './views/invoice.views';

const { notFound } = PlatformFailures;
const { unavailable } = BillingFailures;

class InvoicePageQuery extends OmitType(PageQuery, ['cursor']) {
  @IsOptional()
  @Matches(/^in_[A-Za-z0-9_]{1,100}$/, { message: 'must be a cursor from an earlier response' })
  @ApiPropertyOptional({ type: String, description: '`nextCursor` of the previous page' })
  cursor?: string;
}

/** Invoices and payment method of the active tenant, as Stripe has them. */
@ApiTags('billing')
@Controller('billing')
export class BillingInvoicesController {
  constructor(private readonly queries: QueryBus) {}

  @Get('invoices')
  @RequirePermission('tenant.billing.read')
  @CallsStripe()
  @Responds({ summary: 'List invoices', data: BillingInvoiceView, list: true, failures: [notFound, unavailable] })
  listBillingInvoices(@CurrentTenantActor() actor: TenantActor, @Query() page: InvoicePageQuery) {
    return this.queries.execute(new ListBillingInvoices(actor, page));
  }

  @Get('payment-method')
  @RequirePermission('tenant.billing.read')
  @CallsStripe()
  @Responds({ summary: 'Get the payment method on file', data: PaymentMethodView, failures: [notFound, unavailable] })
  getPaymentMethod(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new GetPaymentMethod(actor));
  }
}
