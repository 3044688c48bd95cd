import { readFields } from './make-fields';

describe('The fields of a module', () => {
  it('are a name and a type, which may be empty', () => {
    expect(readFields(['name:text', 'dueAt:moment?', 'done:flag'])).toMatchObject([
      { name: 'name', type: 'string', isNullable: false },
      { name: 'dueAt', type: 'Date', isNullable: true },
      { name: 'done', type: 'boolean', isNullable: false, initially: 'false' },
    ]);
  });

  it.each([
    [[], 'Give at least one field'],
    [['name'], '"name" is not a field'],
    [['name:text??'], '"name:text??" is not a field'],
    [['name:string'], 'the unknown type string. There are text, name, integer'],
    [['name:toString'], 'the unknown type toString'],
    [['Name:text'], 'must begin with a small letter'],
    [['due_at:moment'], 'letters and digits only'],
    [['tenantId:text'], 'is one that every entity has'],
    [['by:text'], 'a word of the code around it'],
    [['class:text'], 'is a word of TypeScript'],
    [['group:text'], 'is a word of SQL'],
    [['name:text', 'name:flag'], 'The field name is given twice.'],
    [['done:flag?'], 'cannot be left empty: a flag is false if it is not given'],
  ])('are refused: %j', (texts, message) => expect(() => readFields(texts)).toThrow(message));
});
