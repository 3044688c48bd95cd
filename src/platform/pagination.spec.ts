import { newId } from './ids';
import { idOf, pageOf } from './pagination';

describe('a page', () => {
  const rows = Array.from({ length: 5 }, () => ({ id: newId() }));

  it('has a cursor for its last row, and the last page has none', () => {
    const page = pageOf(rows, 4);
    expect(page.items).toEqual(rows.slice(0, 4));
    expect(idOf(page.nextCursor!)).toBe(rows[3].id);
    expect(pageOf(rows, 5)).toEqual({ items: rows, nextCursor: null });
    expect(pageOf([], 5)).toEqual({ items: [], nextCursor: null });
  });

  it('starts at the first row without a cursor', () => expect(idOf(undefined)).toBeNull());
});
