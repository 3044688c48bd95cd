import { permanentRejection } from './mail-rejection';

const answer = (responseCode: number, command: string) => ({ responseCode, command, response: `${responseCode} no` });

describe('A response of a mail server', () => {
  it.each([
    ['no such user', answer(550, 'RCPT TO'), { isOfAddress: true, reason: '550 no' }],
    ['no such host', answer(553, 'RCPT TO'), { isOfAddress: true, reason: '553 no' }],
    ['content refused', answer(554, 'DATA'), { isOfAddress: false, reason: '554 no' }],
  ])('is final: %s', (_, error, expected) => {
    expect(permanentRejection(error)).toEqual(expected);
  });

  it.each([
    ['try again later', answer(451, 'RCPT TO')],
    ['mailbox full', answer(452, 'DATA')],
    ['sender refused', answer(550, 'MAIL FROM')],
    ['wrong password', answer(535, 'AUTH PLAIN')],
    ['no connection', { code: 'ECONNREFUSED' }],
    ['no error', undefined],
  ])('is not final: %s', (_, error) => {
    expect(permanentRejection(error)).toBeUndefined();
  });

  it('is truncated to 200 characters', () => {
    expect(permanentRejection({ ...answer(550, 'RCPT TO'), response: 'x'.repeat(500) })?.reason).toHaveLength(200);
  });
});
