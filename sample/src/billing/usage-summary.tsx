import { Box } from '@mui/material';
import { describeUse, useEntitlements } from './entitlements';
import { UsageMeter } from './usage';

/** What is used of the limits of the plan. */
export function UsageSummary() {
  const counted = useEntitlements().data?.items.filter((entitlement) => describeUse(entitlement));
  if (!counted?.length) return null;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 4 },
        gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
        mt: 1.5,
        pt: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {counted.map((entitlement) => (
        <UsageMeter key={entitlement.name} entitlement={entitlement} />
      ))}
    </Box>
  );
}
