import { DatabaseFunction } from './database-function';

describe('The statement that calls a function of the database', () => {
  const letters = new DatabaseFunction<{ id: string; from: string }>('letters_of', { id: 'id', from: 'sender_id' });

  it('names the columns as the fields of a row, and has a parameter for each value', () =>
    expect(letters.statement(2)).toBe('SELECT id AS "id", sender_id AS "from" FROM letters_of($1, $2)'));

  it('has no columns if nothing is read', () =>
    expect(new DatabaseFunction<object>('send_letters', {}).statement(0)).toBe('SELECT  FROM send_letters()'));
});
