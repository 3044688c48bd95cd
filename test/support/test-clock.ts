import { Clock } from '../../src/platform/clock';

/** Runs with the real time, plus what the test has moved it by. */
export class TestClock extends Clock {
  private moved = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.moved);
  }

  advance(seconds: number): void {
    this.moved += seconds * 1000;
  }
}
