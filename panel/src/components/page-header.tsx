import { Breadcrumbs, Stack, Typography } from '@mui/material';
import { useEffect, type ReactNode } from 'react';
import { TextLink } from './links';

interface PageHeaderProps {
  readonly title: string;
  /** The list that the page belongs to. */
  readonly within?: { readonly to: string; readonly name: string };
  /** Chips beside the title. */
  readonly beside?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** The title of a page, also of its tab, with chips and buttons. */
export const PageHeader = ({ title, within, beside, children }: PageHeaderProps) => {
  useEffect(() => {
    document.title = `${title} – Tenantry operators`;
  }, [title]);
  return (
    <Stack
      direction="row"
      sx={{ flexWrap: 'wrap', gap: 1.5, alignItems: 'flex-end', justifyContent: 'space-between', mb: 2.5 }}
    >
      <div>
        {within && (
          <Breadcrumbs sx={{ fontSize: '0.8125rem', mb: 0.25 }}>
            <TextLink to={within.to}>{within.name}</TextLink>
          </Breadcrumbs>
        )}
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
          <Typography variant="h1" tabIndex={-1} sx={{ overflowWrap: 'anywhere', outline: 'none' }}>
            {title}
          </Typography>
          {beside}
        </Stack>
      </div>
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {children}
      </Stack>
    </Stack>
  );
};
