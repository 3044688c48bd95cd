import { Button, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { usePagedQuery } from '../queries';
import { type Identified, ItemList } from './item-list';
import { QueryResult } from './query-result';

interface PagedListProps<Item> {
  readonly pages: ReturnType<typeof usePagedQuery<Item>>;
  /** Shown for an empty list. */
  readonly empty: string;
  readonly children: (item: Item) => ReactNode;
}

/** The loaded pages of a list, and a button to load more. */
export function PagedList<Item extends Identified>({ pages, empty, children }: PagedListProps<Item>) {
  return (
    <QueryResult from={pages}>
      {(read) => {
        const items = read.pages.flatMap((page) => page.items);
        if (items.length === 0) return <Typography color="textSecondary">{empty}</Typography>;
        return (
          <>
            <ItemList items={items}>{children}</ItemList>
            {pages.hasNextPage && (
              <Button
                sx={{ mt: 2 }}
                loading={pages.isFetchingNextPage}
                onClick={() => {
                  void pages.fetchNextPage();
                }}
              >
                Load more
              </Button>
            )}
          </>
        );
      }}
    </QueryResult>
  );
}
