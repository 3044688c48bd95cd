import { CssBaseline, Stack } from '@mui/material';
import type { ReactNode } from 'react';

/** A page outside of the panel's layout, with its content in the middle of the window. */
export const CenteredPage = ({ children }: { children: ReactNode }) => (
  <Stack
    component="main"
    sx={{
      minHeight: '100dvh',
      alignItems: 'center',
      justifyContent: 'center',
      p: 2,
      backgroundColor: 'background.default',
    }}
  >
    <CssBaseline enableColorScheme />
    {children}
  </Stack>
);
