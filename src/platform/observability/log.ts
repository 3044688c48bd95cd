import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Settings } from '../../config/settings';
import { requestContext, type RequestContext } from './request-context';

/** The service's log: JSON lines by pino, each with the id of the running request. */
export abstract class Log {
  abstract readonly fatal: Logger['fatal'];
  abstract readonly error: Logger['error'];
  abstract readonly warn: Logger['warn'];
  abstract readonly info: Logger['info'];
  abstract readonly debug: Logger['debug'];
  abstract readonly child: Logger['child'];
}

const FLUSH_MS = 1000;

/** Fields that are never logged, wherever they appear. */
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

/** @param destination standard output, unless a test reads the lines */
export function createLog({ level, pretty }: Settings['log'], destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => requestContext() ?? {},
      mixinMergeStrategy: withRequestIds,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
      serializers: { err: describeError },
      ...(pretty && !destination ? { transport: PRETTY } : {}),
    },
    ...(destination ? [destination] : pretty ? [] : [buffered()]),
  );
}

/** The fields of a line with the ids of its request. pino leaves out what is undefined. */
const withRequestIds = (fields: object, { requestId, clientRequestId }: Partial<RequestContext>) => ({
  requestId,
  clientRequestId,
  ...fields,
});

const PRETTY = {
  target: 'pino-pretty',
  options: { translateTime: 'HH:MM:ss.l', ignore: 'requestId,clientRequestId,event', singleLine: true },
};

/**
 * Standard output, written in blocks, at least every second and at exit: one system call per line
 * would cost as much as handling the request.
 */
const buffered = () => pino.destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: FLUSH_MS });

/**
 * Keeps what helps to find the cause. Errors of the database driver also hold parameter values,
 * which are left out.
 */
function describeError(error: Error & { code?: string }) {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}

/** Logs Nest's own messages in the same format. */
export function nestLogger(log: Log): LoggerService {
  const line =
    (level: 'fatal' | 'error' | 'warn' | 'debug') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.at(-1);
      if (message instanceof Error) log[level]({ event: 'framework.message', err: message, context });
      else
        log[level](
          { event: 'framework.message', context, detail: rest.length > 1 ? rest[0] : undefined },
          String(message),
        );
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
