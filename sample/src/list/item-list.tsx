import { Divider, Stack } from '@mui/material';
import type { ReactNode } from 'react';

/** An item of a list. Members have the id of their user. */
export type Identified = { readonly id: string } | { readonly userId: string };

/** A list, one item below the other. */
export function ItemList<Item extends Identified>({
  items,
  children,
}: {
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}) {
  return (
    <Stack
      component="ul"
      divider={<Divider component="li" aria-hidden />}
      sx={{ p: 0, mx: 0, my: -1.5, listStyle: 'none' }}
    >
      {items.map((item) => (
        <li key={'id' in item ? item.id : item.userId}>{children(item)}</li>
      ))}
    </Stack>
  );
}
