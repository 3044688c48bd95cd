import { Injectable } from '@nestjs/common';

/** The only place that asks for the time, so that a test can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Whole seconds since 1970, as tokens count (RFC 7519, NumericDate). */
  nowInSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}

/** The moment `seconds` after `from`. */
export function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}

/**
 * Whole seconds until a moment that a counter of hits names, at least one. Counters run by the
 * machine's time, not by the Clock.
 * @param otherwise where the counter does not know
 */
export function secondsUntil(moment: Date | undefined, otherwise: number): number {
  return moment ? Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1000)) : otherwise;
}

/** Whole seconds from one moment until a later one, at least one: what a Retry-After says. */
export function secondsBetween(from: Date, until: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000));
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
