import { Chip } from '@mui/material';
import { dateTime } from '../date-format';
import type { Delivery } from './webhook-queries';

/** Whether a delivery has arrived, in a word. */
export function DeliveryStateChip({ delivery: { state, attempt } }: { delivery: Delivery }) {
  if (state === 'delivered') return <Chip size="small" variant="outlined" color="success" label="Delivered" />;
  if (state === 'failed') return <Chip size="small" variant="outlined" color="error" label="Failed" />;
  if (attempt > 0) return <Chip size="small" variant="outlined" color="warning" label="Retrying" />;
  return <Chip size="small" variant="outlined" label="Waiting" />;
}

/** "3 attempts · next at Mar 1, 2026, 2:05 PM" */
export function attemptsText({ attempt, nextAt }: Delivery): string {
  const count = attempt === 0 ? 'Not sent yet' : `${attempt} attempt${attempt === 1 ? '' : 's'}`;
  return nextAt && attempt > 0 ? `${count} · next at ${dateTime(nextAt)}` : count;
}
