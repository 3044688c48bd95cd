import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

interface ListRowProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

const CENTERED = { alignItems: 'center', flexWrap: 'wrap' };

/** Below the text, the labels of buttons without a border are in line with the text. */
const BUTTONS = {
  display: 'flex',
  gap: 0.5,
  ...CENTERED,
  '& > .MuiButton-outlined, & > .MuiButton-contained': { my: { xs: 0.75, sm: 0 } },
  '& > .MuiButton-contained + .MuiButton-outlined': { ml: 0.5 },
  '&:has(> .MuiButton-text:first-of-type)': { ml: { xs: -0.625, sm: 0 } },
};

/** An item of a list. On a phone its buttons go below the text. */
export function ListRow({ picture, title, text, children }: ListRowProps) {
  return (
    <Stack direction="row" sx={{ py: 1.5, columnGap: 2, alignItems: { xs: 'flex-start', sm: 'center' } }}>
      {picture}
      <Box sx={{ flexGrow: 1, minWidth: 0, display: 'flex', columnGap: 2, rowGap: 0.5, ...CENTERED }}>
        <Box sx={{ flex: '1 1 13rem', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography component="div" sx={{ fontWeight: 550, display: 'flex', gap: 1, ...CENTERED }}>
            {title}
          </Typography>
          {text && (
            <Typography component="div" variant="body2" color="textSecondary">
              {text}
            </Typography>
          )}
        </Box>
        {children && <Box sx={BUTTONS}>{children}</Box>}
      </Box>
    </Stack>
  );
}
