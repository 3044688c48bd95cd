import { Box, Typography } from '@mui/material';
import { useEntitlements } from './entitlements';
import { downgradeEffects } from './downgrade-effects';
import { type Plan, usePlans } from './plan-prices';

/** Lists the entitlements that the workspace loses with a change to Free. */
export function DowngradeWarning({ plan }: { plan: Plan['name'] }) {
  const plans = usePlans().data;
  const entitlements = useEntitlements().data?.items;
  const [from, free] = [plan, 'Free'].map((name) => plans?.find((one) => one.name === name));
  if (!from || !free || !entitlements) return null;
  const effects = downgradeEffects(from, free, entitlements);
  if (effects.length === 0) return null;
  return (
    <div>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        What changes on Free
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, display: 'grid', gap: 0.5 }}>
        {effects.map(({ name, text, note }) => (
          <Typography key={name} component="li" variant="body2">
            {text}
            {note && (
              <Typography variant="body2" color="textSecondary">
                {note}
              </Typography>
            )}
          </Typography>
        ))}
      </Box>
    </div>
  );
}
