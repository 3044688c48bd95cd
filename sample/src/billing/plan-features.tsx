import Check from '@mui/icons-material/Check';
import Remove from '@mui/icons-material/Remove';
import { Box, Typography } from '@mui/material';
import { money } from './money-format';
import type { Plan, Price } from './plan-prices';

interface Feature {
  readonly text: string;
  /** What is said about it in a second line. */
  readonly note?: string;
  readonly isIncluded: boolean;
}

/** What a plan allows, line by line: the lines of all plans are in the same order. */
export function PlanFeatures({ plan, price }: { plan: Plan; price: Price | undefined }) {
  const features = plan.entitlements.flatMap((entitlement) => {
    const feature = describe(entitlement, price);
    return feature ? [{ ...feature, name: entitlement.name }] : [];
  });
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1, alignContent: 'start' }}>
      {features.map(({ name, text, note, isIncluded }) => (
        <Box component="li" key={name} sx={{ display: 'flex', gap: 1 }}>
          {isIncluded ? (
            <Check fontSize="small" color="primary" aria-hidden />
          ) : (
            <Remove fontSize="small" color="disabled" aria-hidden />
          )}
          <div>
            <Typography variant="body2" color={isIncluded ? 'textPrimary' : 'textSecondary'}>
              {text}
            </Typography>
            {note && (
              <Typography variant="body2" color="textSecondary">
                {note}
              </Typography>
            )}
          </div>
        </Box>
      ))}
    </Box>
  );
}

function describe({ name, value }: Plan['entitlements'][number], price: Price | undefined): Feature | undefined {
  if (name === 'projects')
    return { text: value === null ? 'Unlimited projects' : `${String(value)} projects`, isIncluded: true };
  if (name === 'keys') return { text: `${String(value)} API keys`, isIncluded: true };
  if (name === 'seats') {
    const text = value === null ? 'Unlimited members' : `Up to ${String(value)} members`;
    return { text, note: price && seatTerms(price), isIncluded: true };
  }
  if (name === 'auditRetentionDays') return { text: `${duration(Number(value))} of audit log`, isIncluded: true };
  if (name === 'auditExport')
    return value === true
      ? { text: 'Audit log export', isIncluded: true }
      : { text: 'No audit log export', isIncluded: false };
  if (name === 'auditStreaming')
    return value === true
      ? { text: 'Audit log streaming', isIncluded: true }
      : { text: 'No audit log streaming', isIncluded: false };
  return undefined; // daily limits against abuse are no reason to choose a plan
}

function seatTerms({ perSeat, includedSeats, currency, interval }: Price): string | undefined {
  if (perSeat === null || includedSeats === null) return undefined;
  return `${includedSeats} included, then ${money(perSeat, currency)} per member a ${interval}`;
}

/** "30 days", "1 year" */
export function duration(days: number): string {
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} days`;
  return years === 1 ? '1 year' : `${years} years`;
}
