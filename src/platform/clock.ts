import { Injectable } from '@nestjs/common';

/** The only place that asks for the time, so that a test can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

/** The moment `seconds` after `from`. */
export function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
