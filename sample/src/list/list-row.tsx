import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

interface ListRowProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** Below the text, the label of a button without a border is in line with the text. */
const BUTTONS = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 0.5,
  alignItems: 'center',
  '& > .MuiButton-outlined, & > .MuiButton-contained, & > .MuiButton-outlined ~ .MuiButton-text': {
    mt: { xs: 1, sm: 0 },
  },
  '& > .MuiButton-contained + .MuiButton-outlined': { ml: 0.5 },
  '& > .MuiButton-text:first-of-type': { ml: { xs: -0.625, sm: 0 } },
};

/** An item of a list. On a phone its buttons go below the text. */
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
      {children && <Box sx={BUTTONS}>{children}</Box>}
    </Stack>
  );
}
