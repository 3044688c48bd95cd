import { QueryFailedError } from 'typeorm';
import type { Failure } from '../result';
import { unlessViolated } from './constraint-violations';

const NAME_TAKEN: Failure = { code: 'NAME_TAKEN', kind: 'conflict', message: 'The name is taken.' };
const refused = (code: string, constraint: string) => () => {
  throw new QueryFailedError('INSERT', [], Object.assign(new Error('refused'), { code, constraint }));
};

describe('unlessViolated', () => {
  it('returns the failure of the constraint that refused the write', async () => {
    expect(await unlessViolated({ name_key: NAME_TAKEN }, refused('23505', 'name_key'))).toEqual({
      ok: false,
      failure: NAME_TAKEN,
    });
  });

  it('is ok if the write succeeds', async () => {
    expect(await unlessViolated({ name_key: NAME_TAKEN }, () => Promise.resolve(1))).toMatchObject({ ok: true });
  });

  it.each([
    ['another constraint', '23505', 'other_key'],
    ['an error that is no violation', '57014', 'name_key'],
  ])('throws %s', async (_, code, constraint) => {
    await expect(unlessViolated({ name_key: NAME_TAKEN }, refused(code, constraint))).rejects.toThrow('refused');
  });
});
