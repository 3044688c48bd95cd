import { phasesOf } from './stripe-schedules';

const item = (price: string, quantity = 1) => ({ price, quantity }) as never;
const phase = (start_date: number, ...items: never[]) =>
  ({ start_date, end_date: start_date + 10, trial_end: null, discounts: [{ discount: 'di_1' }], items }) as never;
const yearly = { priceId: 'price_year', quantity: 3, interval: 'year' } as const;

describe('The phases of a planned change', () => {
  it('keep other items and the discounts', () => {
    const phases = [phase(10, item('price_support'), item('price_month', 2))];
    const current_phase = { start_date: 10, end_date: 20 };
    const discounts = [{ discount: 'di_1' }];
    expect(phasesOf({ phases, current_phase }, 'price_month', yearly).phases).toEqual([
      { start_date: 10, end_date: 20, discounts, items: [item('price_support'), item('price_month', 2)] },
      {
        discounts,
        items: [item('price_support'), item('price_year', 3)],
        duration: { interval: 'year', interval_count: 1 },
        proration_behavior: 'none',
      },
    ]);
  });

  it('begin with the current one', () => {
    const phases = [phase(10, item('price_old')), phase(20, item('price_month'))];
    const planned = phasesOf({ phases, current_phase: { start_date: 20, end_date: 30 } }, 'price_month', yearly).phases;
    expect(planned).toMatchObject([
      { start_date: 20, items: [{ price: 'price_month' }] },
      { items: [{ price: 'price_year' }] },
    ]);
  });
});
