import { isAnswerTo } from './challenge-answer';

describe('isAnswerTo', () => {
  it.each([
    ['c1', true],
    [' c1\n', true],
    ['{"challenge":"c1"}', true],
    ['{ "challenge": "c1", "ok": true }', true],
    ['', false],
    ['c2', false],
    ['c1 and more', false],
    ['"c1"', false],
    ['["c1"]', false],
    ['null', false],
    ['{"data":{"challenge":"c1"}}', false],
    ['{"challenge":["c1"]}', false],
    ['<html>c1</html>', false],
  ])('takes %j: %s', (body, expected) => {
    expect(isAnswerTo('c1', body)).toBe(expected);
  });
});
