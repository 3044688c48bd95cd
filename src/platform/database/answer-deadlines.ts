/**
 * The deadlines of the statements that a connection has sent and that are not answered yet. Answers
 * arrive in the order of the statements.
 */
export class AnswerDeadlines {
  private readonly deadlines: number[] = [];
  private timer?: NodeJS.Timeout;

  /**
   * @param answerMs milliseconds until the answer to a statement is overdue
   * @param onOverdue called once an answer is overdue
   */
  constructor(
    private readonly answerMs: number,
    private readonly onOverdue: () => void,
  ) {}

  /** A statement is sent. */
  add(): void {
    this.deadlines.push(performance.now() + this.answerMs);
    this.timer ??= this.checkIn(this.answerMs);
  }

  /** The oldest statement is answered. */
  removeOldest(): void {
    this.deadlines.shift();
  }

  /** One timer for all statements: it is set again only when it fires. */
  private checkIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      const [oldest] = this.deadlines;
      if (oldest === undefined) return;
      const left = oldest - performance.now();
      if (left > 0) this.timer = this.checkIn(left);
      else this.checkAfterReading();
    }, milliseconds).unref();
  }

  /**
   * After the event loop or the machine has been stopped for a while, the timer fires before the
   * answer is read that arrived meanwhile. Giving up would report a commit as a failure.
   */
  private checkAfterReading(): void {
    setImmediate(() => {
      const [oldest] = this.deadlines;
      if (oldest === undefined) return;
      if (oldest <= performance.now()) this.onOverdue();
      else this.timer ??= this.checkIn(oldest - performance.now());
    });
  }
}
