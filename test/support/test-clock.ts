import { Clock } from '../../src/platform/clock';

/** The real time plus the offset that the test has set. */
export class TestClock extends Clock {
  private moved = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.moved);
  }

  advance(seconds: number): void {
    this.moved += seconds * 1000;
  }
}
