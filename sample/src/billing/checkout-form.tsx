import { Box, Link } from '@mui/material';
import { useState } from 'react';
import { Field } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { api } from '../session';
import type { PriceChoice } from './plan-prices';

interface CheckoutFormProps {
  readonly name: 'Pro' | 'Business';
  readonly choice: PriceChoice;
}

/** Starts the checkout of a plan, with a promotion code for those who have one. */
export function CheckoutForm({ name: planName, choice }: CheckoutFormProps) {
  const [hasCode, setHasCode] = useState(false);
  const start = ({ promotionCode }: FormValues) => {
    const code = promotionCode?.trim();
    return api.POST('/billing/checkout', { body: { planName, ...choice, ...(code ? { promotionCode: code } : {}) } });
  };
  return (
    <Box sx={{ '& > form': { maxWidth: 'none' } }}>
      <Form submit={`Choose ${planName}`} send={start} onDone={({ checkoutUrl }) => location.assign(checkoutUrl)}>
        {hasCode && <Field name="promotionCode" label="Promotion code" size="small" autoComplete="off" autoFocus />}
      </Form>
      {!hasCode && (
        <Link component="button" variant="body2" sx={{ mt: 1 }} onClick={() => setHasCode(true)}>
          Have a promotion code?
        </Link>
      )}
    </Box>
  );
}
