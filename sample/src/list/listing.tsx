import { Button, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { usePages } from '../queries';
import { type Identified, Items } from './items';
import { Loaded } from './loaded';

interface ListingProps<Item> {
  readonly pages: ReturnType<typeof usePages<Item>>;
  /** What to say when there is nothing. */
  readonly empty: string;
  readonly children: (item: Item) => ReactNode;
}

/** A list as far as it was read, and a button to read on. */
export function Listing<Item extends Identified>({ pages, empty, children }: ListingProps<Item>) {
  return (
    <Loaded from={pages}>
      {(read) => {
        const items = read.pages.flatMap((page) => page.items);
        if (items.length === 0) return <Typography color="textSecondary">{empty}</Typography>;
        return (
          <>
            <Items items={items}>{children}</Items>
            {pages.hasNextPage && (
              <Button sx={{ mt: 2 }} loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                Load more
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
