import { jsonbSafe } from './jsonb-safe';

describe('The payload of an event is stored', () => {
  it.each([
    ['unchanged if it has no suspect character', '{ "name": "Ada" }', '{ "name": "Ada" }'],
    ['without a NUL in a value', '{"name":"A\\u0000da"}', '{"name":"Ada"}'],
    ['without a NUL in a name', '{"na\\u0000me":"Ada"}', '{"name":"Ada"}'],
    ['without a NUL in a list', '{"names":["A\\u0000da"]}', '{"names":["Ada"]}'],
    ['without half of a surrogate pair', '{"name":"Ada\\ud83d"}', '{"name":"Ada"}'],
    ['with a whole surrogate pair', '{"name":"\\ud83d\\ude00"}', '{"name":"😀"}'],
    ['with an escaped backslash before u0000', '{"name":"\\\\u0000"}', '{"name":"\\\\u0000"}'],
    ['with its numbers and nulls', '{"a":1,"b":null,"c":"\\u0000"}', '{"a":1,"b":null,"c":""}'],
  ])('%s', (_rule, json, expected) => expect(jsonbSafe(json)).toBe(expected));
});
