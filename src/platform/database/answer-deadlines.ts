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

  /** The newest statement was not sent. */
  removeNewest(): void {
    this.deadlines.pop();
  }

  /** The oldest statement is answered. */
  removeOldest(): void {
    this.deadlines.shift();
  }

  /** One timer for all statements: it is set again only when it has fired. */
  private checkIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.left() <= 0) setImmediate(() => this.checkAfterReading());
      else this.checkLater();
    }, milliseconds).unref();
  }

  /**
   * After the event loop or the machine has been stopped for a while, the timer fires before the
   * answer is read that arrived meanwhile. Giving up would report a commit as a failure.
   */
  private checkAfterReading(): void {
    if (this.left() <= 0) this.onOverdue();
    else this.checkLater();
  }

  private checkLater(): void {
    this.timer = this.deadlines.length > 0 ? this.checkIn(this.left()) : undefined;
  }

  /** Milliseconds until the oldest statement is overdue. */
  private left(): number {
    return this.deadlines.length > 0 ? this.deadlines[0] - performance.now() : Infinity;
  }
}
