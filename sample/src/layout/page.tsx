import { Box, Link, Paper, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useMe } from '../queries';
import { useWorkspacePath } from '../workspace-path';

/**
 * A page with its title, a description and its main action. The title of the tab names the
 * workspace.
 */
export function Page({
  title,
  tabTitle = title,
  text,
  back,
  action,
  children,
}: {
  title: string;
  /** The title of the browser's tab, for one of several pages with the same heading. */
  tabTitle?: string;
  text?: ReactNode;
  /** The page that this one is below, with its path in the workspace. */
  back?: { readonly to: string; readonly name: string };
  action?: ReactNode;
  children: ReactNode;
}) {
  const workspace = useMe().data?.tenant?.name;
  const path = useWorkspacePath();
  return (
    <Stack spacing={3}>
      <title>{`${tabTitle} – ${workspace ?? 'Tenantry'}`}</title>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center' }}>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {back && (
            <Link component={RouterLink} to={path(back.to)} variant="body2" underline="hover">
              ← {back.name}
            </Link>
          )}
          <Typography variant="h1">{title}</Typography>
          {text && (
            <Typography color="textSecondary" sx={{ mt: 0.5 }}>
              {text}
            </Typography>
          )}
        </Box>
        {action}
      </Stack>
      {children}
    </Stack>
  );
}

/** A card on a page. */
export function Section({
  title,
  text,
  action,
  children,
}: {
  title?: string;
  text?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Paper variant="outlined" component="section" sx={{ p: { xs: 2, sm: 3 } }}>
      {title && (
        <Stack
          direction="row"
          sx={{ mb: text ? 0.5 : 1.5, gap: 1, justifyContent: 'space-between', alignItems: 'center', flexWrap: 'wrap' }}
        >
          <Typography variant="h2">{title}</Typography>
          {action}
        </Stack>
      )}
      {text && (
        <Typography color="textSecondary" variant="body2" sx={{ mb: 2 }}>
          {text}
        </Typography>
      )}
      {children}
    </Paper>
  );
}
