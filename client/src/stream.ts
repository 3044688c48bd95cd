import { createParser } from 'eventsource-parser';
import type { Schemas } from './answer.js';
import type { Session } from './session.js';

/** A notification, and the place in the stream to go on from. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly notification: Schemas['NotificationView'];
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The stream over interruptions and the ends of access tokens (contract section 4: GET
 * /notifications/stream, Last-Event-ID), until the signal or the session's end.
 */
export async function* eventsOf(
  url: string,
  session: Session,
  send: typeof fetch,
  lastEventId: () => string | undefined,
  onConnected: (isConnected: boolean) => void,
  until: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let pause = FIRST_PAUSE_MS;
  while (!until.aborted) {
    const current = await session.token();
    if (until.aborted || (current.ok && !current.data)) return;
    const response = current.ok ? await open(url, current.data!, lastEventId(), send, until) : undefined;
    if (response?.ok && response.body) {
      pause = FIRST_PAUSE_MS;
      onConnected(true);
      yield* notificationsIn(response.body);
      onConnected(false);
    } else {
      await response?.body?.cancel();
      if (response?.status === 401 && current.ok && (await session.renew(current.data)).is === 'ended') return;
    }
    await rest(pause * (0.5 + Math.random()), until); // not all clients at once, after a restart of the service
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function open(
  url: string,
  token: string,
  lastEventId: string | undefined,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const headers = {
    Accept: 'text/event-stream',
    Authorization: `Bearer ${token}`,
    ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}),
  };
  return send(url, { headers, signal, cache: 'no-store' }).catch(() => undefined);
}

/** Ends when the body does, however that comes. */
async function* notificationsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event === 'notification') events.push({ id, notification: JSON.parse(data) as Schemas['NotificationView'] });
    },
  });
  try {
    for (;;) {
      const part = await reader.read().catch(() => undefined); // cut, or closed by the signal
      if (!part || part.done) return;
      parser.feed(part.value);
      yield* events;
      events = [];
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
