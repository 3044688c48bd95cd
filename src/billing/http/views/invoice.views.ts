import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import type { CustomerInvoice } from '../../stripe/stripe-invoices';
import type { PaymentMethodOnFile } from '../../stripe/stripe-payment-methods';

const NULLABLE_INTEGER = { anyOf: [{ type: 'integer' }, { type: 'null' }] };

/** An invoice at Stripe. */
export class BillingInvoiceView implements CustomerInvoice {
  @ApiProperty({ type: String, example: 'in_1SXk2p' })
  readonly id!: string;
  @NullableText({ description: 'Invoice number' }) readonly number!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly date!: Date;
  @ApiProperty({ type: 'integer', description: 'Total in the smallest unit' })
  readonly amount!: number;
  @ApiProperty({ type: String, example: 'usd' }) readonly currency!: string;
  @ApiProperty({ type: String, example: 'paid' }) readonly status!: string;
  @NullableText({ format: 'uri', description: "Stripe's page" }) readonly hostedUrl!: string | null;
  @NullableText({ format: 'uri', description: 'Address of the PDF' }) readonly pdfUrl!: string | null;
}

/** A payment method as its owner recognizes it. */
export class PaymentMethodOnFileView implements PaymentMethodOnFile {
  @ApiProperty({ type: String, example: 'visa' }) readonly brand!: string;
  @NullableText({ description: 'Last four digits' }) readonly last4!: string | null;
  @ApiProperty({ ...NULLABLE_INTEGER, example: 12 }) readonly expMonth!: number | null;
  @ApiProperty({ ...NULLABLE_INTEGER, example: 2030 }) readonly expYear!: number | null;
}

/** The payment method that Stripe would charge. */
@ApiExtraModels(PaymentMethodOnFileView)
export class PaymentMethodView {
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(PaymentMethodOnFileView) }, { type: 'null' }],
    description: 'Payment method; null if there is none',
  })
  readonly onFile!: PaymentMethodOnFileView | null;
}
