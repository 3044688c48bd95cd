import { Box, Tooltip } from '@mui/material';
import type { ReactElement } from 'react';

/**
 * Says why the control within is disabled, to the pointer and to the keyboard; without a reason it
 * is just the control.
 */
export function Why({ not, children }: { readonly not: string | undefined; readonly children: ReactElement }) {
  if (!not) return children;
  return (
    <Tooltip title={not}>
      <Box component="span" tabIndex={0} sx={{ display: 'inline-block', borderRadius: 1 }}>
        {children}
      </Box>
    </Tooltip>
  );
}
