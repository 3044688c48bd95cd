import { Box, Paper, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import icon from '../../icon.svg';

/** The layout of the pages around signing in: the logo above a card. */
export function AuthLayout({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Box
      component="main"
      tabIndex={-1}
      sx={{
        minHeight: '100vh',
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        px: 2,
        py: { xs: 4, sm: 9 },
        outline: 'none',
      }}
    >
      <title>{`${title} – Tenantry`}</title>
      <Stack direction="row" sx={{ gap: 1.25, alignItems: 'center', mb: 3 }}>
        <img src={icon} alt="" width={32} height={32} />
        <Typography sx={{ fontWeight: 700, fontSize: '1.2rem' }}>Tenantry</Typography>
      </Stack>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 420, p: { xs: 2.5, sm: 4 } }}>
        <Typography variant="h1" sx={{ mb: text ? 1 : 2.5 }}>
          {title}
        </Typography>
        {text && (
          <Typography color="textSecondary" sx={{ mb: 2.5, overflowWrap: 'anywhere' }}>
            {text}
          </Typography>
        )}
        {children}
      </Paper>
    </Box>
  );
}
