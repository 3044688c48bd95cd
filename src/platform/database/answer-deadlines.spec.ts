import { setTimeout as pause } from 'node:timers/promises';
import { AnswerDeadlines } from './answer-deadlines';

describe('AnswerDeadlines', () => {
  const onOverdue = jest.fn();
  let deadlines: AnswerDeadlines;
  beforeEach(() => {
    onOverdue.mockReset();
    deadlines = new AnswerDeadlines(100, onOverdue);
  });

  it('tells once that the answer to a statement is overdue', async () => {
    deadlines.add();
    await pause(50);
    expect(onOverdue).not.toHaveBeenCalled();
    await pause(150);
    expect(onOverdue).toHaveBeenCalledTimes(1);
  });

  it('counts from each statement, as long as the earlier ones are answered', async () => {
    for (let n = 0; n < 6; n++) {
      deadlines.add();
      await pause(40);
      deadlines.removeOldest();
    }
    deadlines.add();
    await pause(60);
    deadlines.add(); // the first one is due 100 ms after it was sent, not after this one
    await pause(60);
    expect(onOverdue).toHaveBeenCalledTimes(1);
  });

  it('is told of a statement that follows an answered one, while others are sent', async () => {
    deadlines.add();
    await pause(50);
    deadlines.add();
    const end = performance.now() + 70;
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (performance.now() < end); // the first one is overdue, and answered meanwhile
    setImmediate(() => {
      deadlines.removeOldest();
      deadlines.add();
    });
    await pause(80);
    expect(onOverdue).toHaveBeenCalledTimes(1);
  });

  it('forgets a statement that was not sent', async () => {
    deadlines.add();
    deadlines.add();
    deadlines.removeNewest();
    deadlines.removeOldest();
    await pause(150);
    expect(onOverdue).not.toHaveBeenCalled();
  });

  it('tells nothing while everything is answered', async () => {
    deadlines.add();
    deadlines.removeOldest();
    deadlines.removeOldest();
    await pause(150);
    expect(onOverdue).not.toHaveBeenCalled();
  });
});
