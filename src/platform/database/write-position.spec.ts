import type { ClientBase } from 'pg';
import { WritePosition } from './write-position';

/** Answers with a position after some milliseconds. */
const clientAt = (position: string, milliseconds = 0) =>
  ({
    query: () => new Promise((resolve) => setTimeout(() => resolve({ rows: [{ position }] }), milliseconds)),
  }) as unknown as ClientBase;

const none = () => clientAt('0/0');

describe('The position of the writes of a request', () => {
  it.each([
    ['F/FFFFFFFF', '10/0'],
    ['1/9', '1/A0'],
    ['0/FFFFFFFF', 'FFFFFFFF/0'],
  ])('is the last one (%s, %s), in whatever order the answers arrive', async (earlier, later) => {
    for (const delay of [0, 20]) {
      const written = new WritePosition();
      await Promise.all([written.read(clientAt(earlier, 10)), written.read(clientAt(later, delay))]);
      expect(await written.latest(none)).toBe(later);
    }
  });

  it('is unknown without a write, and read at the end if it could not be read behind one', async () => {
    const written = new WritePosition();
    expect(await written.latest(none)).toBeUndefined();
    await written.read({ query: () => Promise.reject(new Error('lost')) });
    expect(await written.latest(() => clientAt('1/2'))).toBe('1/2');
  });
});
