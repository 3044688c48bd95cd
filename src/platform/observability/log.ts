import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Settings } from '../../config/settings';
import { requestContext } from './request-context';

/** The log of the service: JSON lines by pino, the running request's id on each. */
export abstract class Log {
  abstract readonly fatal: Logger['fatal'];
  abstract readonly error: Logger['error'];
  abstract readonly warn: Logger['warn'];
  abstract readonly info: Logger['info'];
  abstract readonly debug: Logger['debug'];
  abstract readonly child: Logger['child'];
}

const FLUSH_MS = 1000;

/** What must never be read in a log, wherever somebody puts it by mistake. */
const SECRET_FIELDS = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
];

/** @param destination where the lines go; standard output unless a test reads them */
export function createLog({ level, pretty }: Settings['log'], destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const { requestId, clientRequestId } = requestContext() ?? {};
        return { ...(requestId && { requestId }), ...(clientRequestId && { clientRequestId }) };
      },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
      serializers: { err: describeError },
      ...(pretty && !destination ? { transport: PRETTY } : {}),
    },
    ...(destination ? [destination] : pretty ? [] : [buffered()]),
  );
}

const PRETTY = {
  target: 'pino-pretty',
  options: { translateTime: 'HH:MM:ss.l', ignore: 'requestId,clientRequestId,event', singleLine: true },
};

/**
 * Standard output, written in blocks, at least every second and when the process ends: a system
 * call for each line would cost as much as answering the request.
 */
const buffered = () => pino.destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: FLUSH_MS });

/**
 * Only what helps to find the cause: an error of the database driver also carries the values it was
 * given.
 */
function describeError(error: Error & { code?: string }) {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}

/** Nest's own lines, in the same form. */
export function nestLogger(log: Log): LoggerService {
  const line =
    (level: 'fatal' | 'error' | 'warn' | 'debug') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.at(-1);
      if (message instanceof Error) log[level]({ err: message, context });
      else log[level]({ context, detail: rest.length > 1 ? rest[0] : undefined }, String(message));
    };
  return {
    log: line('debug'),
    error: line('error'),
    warn: line('warn'),
    debug: line('debug'),
    verbose: line('debug'),
    fatal: line('fatal'),
  };
}
