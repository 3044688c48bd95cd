import { PictureEncoder } from './picture-encoder';

describe('The encoder of pictures', () => {
  it('refuses an upload if others wait already, and says when to try again', async () => {
    const encoder = new PictureEncoder();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => encoder.encode(Buffer.from('no image'))));
    const failures = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure]));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['VALIDATION_ERROR', 'RATE_LIMITED']));
    for (const { code, retryAfter } of failures)
      expect([code, retryAfter]).toEqual([code, code === 'RATE_LIMITED' ? 1 : undefined]);
  });
});
