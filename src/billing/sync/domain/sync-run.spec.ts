import { SyncRun } from './sync-run';

const SLOT = new Date('2026-11-23T10:00:00Z');
const STARTED = new Date('2026-11-23T10:00:01Z');
const runWith = (values: Partial<SyncRun>) => Object.assign(SyncRun.begin(SLOT, STARTED), values);

describe('SyncRun', () => {
  it('begins at its scheduled time without a page', () => {
    expect(SyncRun.begin(SLOT, STARTED)).toMatchObject({
      slot: SLOT,
      startedAt: STARTED,
      finishedAt: null,
      cursor: null,
      seen: 0,
    });
  });

  it.each([
    ['at first', {}, true],
    ['between two pages', { cursor: 'sub_1', seen: 100 }, true],
    ['after the last page', { hasReadAll: true }, false],
    ['when it is finished', { hasReadAll: true, finishedAt: STARTED }, false],
  ])('has pages to read %s: %s %s', (_, values, expected) => expect(runWith(values).isReading).toBe(expected));
});
