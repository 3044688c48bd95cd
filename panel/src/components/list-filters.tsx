import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { FilterLiveForm, ListContextProvider, useListContext, type ListControllerResult } from 'react-admin';
import { useHref, useLocation } from 'react-router';

/** The inputs of a list's filters, which apply shortly after the last key. */
export const ListFilters = ({ children }: { children: ReactNode }) => {
  const list = useListContext();
  const address = useHref(useLocation().pathname);
  // A link changes the address at once, but the list stays until the script of the next page has
  // loaded. A filter applied meanwhile would return to the list.
  const setFilters: ListControllerResult['setFilters'] = (...change) => {
    if (window.location.pathname === address) list.setFilters(...change);
  };
  return (
    <ListContextProvider value={{ ...list, setFilters }}>
      <FilterLiveForm debounce={350}>
        <Box
          role="search"
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            gap: 1.5,
            '& > *': { m: '0 !important', flex: { xs: '1 1 140px', sm: '0 1 190px' } },
          }}
        >
          {children}
        </Box>
      </FilterLiveForm>
    </ListContextProvider>
  );
};
