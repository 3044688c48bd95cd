import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { widestNetwork } from '../../platform/client-address';
import { currentContext } from '../../platform/observability/request-context';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { FailureException } from '../responses/http-status';
import { TOO_MANY_CHUNKS } from './bounded-request';

/** Bytes of all bodies that an instance is reading. */
const MOST_BYTES = 32 * 2 ** 20;
/** Bytes that Node and the parser keep of a chunk besides its content. */
const CHUNK_BYTES = 400;
/** Milliseconds that a body may take to arrive. */
const DEADLINE_MS = 20_000;

/** Milliseconds for the rest of a body that nobody reads, after the response. */
const UNREAD_MS = 1000;

/** Whether a request has a body, also one that is not read. */
export const hasBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A body that is being read. */
interface Body {
  /** The widest network of the client that rate limits count. */
  readonly from: string;
  bytes: number;
  refuse(failure: Failure): void;
}

/**
 * Bounds what bodies cost before anything is known about them (docs/contract.md, Request bodies):
 * the chunks and the time of each, and the bytes of all together. If they become too many, the
 * client with the most loses its largest, so that one client cannot keep others out.
 */
@Injectable()
export class BodyReader {
  /** Bytes of all bodies. */
  protected readonly mostBytes: number = MOST_BYTES;
  private readonly reading = new Set<Body>();
  private bytes = 0;

  /**
   * Closes the connection of a body that nobody has read and that still arrives after the response.
   * One in chunks, whose length nobody knows, is not received either: to parse its chunks takes
   * more time than to send them.
   */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    if (!hasBody(request)) return next();
    response.once('finish', () => {
      if (request.complete) return;
      if (request.headers['transfer-encoding'] !== undefined) setImmediate(() => request.socket.pause());
      setTimeout(() => request.complete || request.destroy(), UNREAD_MS).unref();
    });
    next();
  };

  /**
   * Reads a body with a parser of Express, which limits its bytes, and calls `next` once.
   * @param deadline milliseconds
   */
  read(
    parse: RequestHandler,
    request: Request,
    response: Response,
    next: NextFunction,
    deadline: number = DEADLINE_MS,
  ): void {
    const end = (error?: unknown) => {
      if (!this.reading.delete(body)) return; // it was refused
      clearTimeout(timer);
      request.off('data', count).off(TOO_MANY_CHUNKS, refuseChunks);
      this.bytes -= body.bytes;
      next(error);
    };
    const refuse = (failure: Failure) => {
      request.pause();
      response.setHeader('Connection', 'close').once('finish', () => request.destroy());
      end(new FailureException(failure));
    };
    const refuseChunks = () => refuse(CHUNKS);
    const count = (chunk: Buffer) => this.add(body, chunk.length + CHUNK_BYTES);
    const body: Body = { from: widestNetwork(currentContext().ip), bytes: 0, refuse };
    const timer = setTimeout(() => refuse(TOO_SLOW), deadline);
    this.reading.add(body);
    request.once(TOO_MANY_CHUNKS, refuseChunks);
    response.once('close', () => end(ABORTED));
    parse(request, response, end);
    if (this.reading.has(body)) request.on('data', count); // not before the parser: this starts the flow
  }

  private add(body: Body, bytes: number): void {
    if (!this.reading.has(body)) return;
    body.bytes += bytes;
    this.bytes += bytes;
    while (this.bytes > this.mostBytes) this.largest().refuse(FULL);
  }

  /** The largest body of the client whose bodies have the most bytes. */
  private largest(): Body {
    const clients = new Map<string, { sum: number; largest: Body }>();
    for (const body of this.reading) {
      const { sum, largest } = clients.get(body.from) ?? { sum: 0, largest: body };
      clients.set(body.from, { sum: sum + body.bytes, largest: body.bytes > largest.bytes ? body : largest });
    }
    return [...clients.values()].reduce((most, client) => (client.sum > most.sum ? client : most)).largest;
  }
}

const CHUNKS = invalid({ body: ['must not arrive in so many small chunks'] });
const TOO_SLOW = invalid({ body: ['did not arrive in time'] });
const ABORTED = new FailureException(TOO_SLOW);
const FULL = { ...PlatformFailures.unavailable, retryAfter: 2 };
