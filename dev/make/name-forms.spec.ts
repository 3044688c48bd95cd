import { articleOf, columnOf, formsOf, singularOf } from './name-forms';

describe('names', () => {
  it('have a form for each place', () => {
    expect(formsOf('purchase-order')).toEqual({
      kebab: 'purchase-order',
      camel: 'purchaseOrder',
      pascal: 'PurchaseOrder',
      snake: 'purchase_order',
      constant: 'PURCHASE_ORDER',
      words: 'purchase order',
    });
  });

  it.each([
    ['invoices', 'invoice'],
    ['purchase-orders', 'purchase-order'],
    ['companies', 'company'],
    ['boxes', 'box'],
    ['branches', 'branch'],
    ['addresses', 'address'],
    ['statuses', 'status'],
    ['cases', 'case'],
    ['sheep', undefined],
    ['press', undefined],
  ])('%s have the singular %s', (plural, singular) => expect(singularOf(plural)).toBe(singular));

  it.each([
    ['invoice', 'an'],
    ['project', 'a'],
    ['Order', 'an'],
    ['unit', 'a'],
    ['upload', 'an'],
  ])('%s follows "%s"', (word, article) => expect(`${articleOf(word)}`).toBe(article));

  it('of columns have underscores', () => expect(columnOf('dueAtNoon')).toBe('due_at_noon'));
});
