import { Injectable } from '@nestjs/common';

/** The only source of the current time, so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Whole seconds since 1970, as in tokens (RFC 7519, NumericDate). */
  nowInSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}

/** The time `seconds` after `from`. */
export function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}

/**
 * Whole seconds until a rate limit resets, at least one. Rate limit counters use the machine's
 * time, not the Clock.
 * @param otherwise the result when the counter has no reset time
 */
export function secondsUntil(moment: Date | undefined, otherwise: number): number {
  return moment ? Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1000)) : otherwise;
}

/** Whole seconds between two times, at least one: a value for Retry-After. */
export function secondsBetween(from: Date, until: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000));
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
