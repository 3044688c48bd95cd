import { Button, Paper, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useListContext } from 'react-admin';

/**
 * The actions on selected rows. It floats at the bottom of the window, so that it neither covers
 * nor moves the filters and the table.
 */
export const SelectionBar = ({ children }: { children: ReactNode }) => {
  const { selectedIds, onUnselectItems } = useListContext();
  if (selectedIds.length === 0) return null;
  return (
    <Paper
      role="region"
      aria-label="Selected rows"
      elevation={6}
      sx={{
        position: 'fixed',
        zIndex: 'appBar',
        bottom: 16,
        left: '50%',
        transform: 'translateX(-50%)',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 1,
        border: 1,
        borderColor: 'divider',
      }}
    >
      <Typography aria-live="polite" sx={{ mr: 1, whiteSpace: 'nowrap' }}>
        {selectedIds.length} selected
      </Typography>
      {children}
      <Button color="inherit" onClick={() => onUnselectItems()}>
        Clear
      </Button>
    </Paper>
  );
};
