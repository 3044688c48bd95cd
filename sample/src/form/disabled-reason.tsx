import { Box, Tooltip } from '@mui/material';
import type { ReactElement } from 'react';

/**
 * Says why a control is disabled, to the pointer and to the keyboard. Without a reason: only the
 * control.
 */
export function DisabledReason({
  reason,
  children,
}: {
  readonly reason: string | undefined;
  readonly children: ReactElement;
}) {
  if (!reason) return children;
  return (
    <Tooltip title={reason}>
      <Box component="span" tabIndex={0} sx={{ display: 'inline-block', borderRadius: 1 }}>
        {children}
      </Box>
    </Tooltip>
  );
}
