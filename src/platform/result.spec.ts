import { failure, err, excluding, ok } from './result';

const GONE = failure('NOT_FOUND', 'missing', 'There is nothing here.');

describe('a result without failures that are ruled out', () => {
  it('is the same result', () => {
    const success = ok('value');
    const refusal = err(GONE);
    expect(excluding(success)).toBe(success);
    expect(excluding(refusal)).toBe(refusal);
  });

  it('cannot be made of one of these failures', () => {
    expect(() => excluding(err(GONE), 'NOT_FOUND')).toThrow('Should be impossible: NOT_FOUND');
  });
});
