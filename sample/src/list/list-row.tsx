import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

interface ListRowProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** What one can do about it. */
  readonly children?: ReactNode;
}

/** One thing of a list; on a phone what one can do with it goes below. */
export function ListRow({ picture, title, text, children }: ListRowProps) {
  return (
    <Stack direction="row" sx={{ py: 1.5, columnGap: 2, rowGap: 0.5, alignItems: 'center', flexWrap: 'wrap' }}>
      {picture}
      <Box sx={{ flex: '1 1 12rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography
          component="div"
          sx={{ fontWeight: 550, display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
        >
          {title}
        </Typography>
        {text && (
          <Typography component="div" variant="body2" color="textSecondary">
            {text}
          </Typography>
        )}
      </Box>
      {children && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, ml: { xs: -0.5, sm: 0 } }}>{children}</Box>}
    </Stack>
  );
}
