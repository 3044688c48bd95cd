import { createParser } from 'eventsource-parser';
import type { Schemas } from './api-answer.js';
import type { Session } from './session.js';
import { wait } from './abortable-wait.js';

/**
 * The event id (Last-Event-ID) to continue from, and a notification, except in the first event of a
 * connection.
 */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly notification?: Schemas['NotificationView'];
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/**
 * Reads GET /notifications/stream and reconnects after an interruption or when the access token
 * has expired (docs/contract.md, Notifications). Ends when the signal is aborted or the session
 * ends.
 */
export async function* readNotificationStream(
  url: string,
  session: Session,
  send: typeof fetch,
  lastEventId: () => string | undefined,
  onConnected: (isConnected: boolean) => void,
  until: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let delay = FIRST_DELAY_MS;
  while (!until.aborted) {
    const current = await session.token();
    if (until.aborted || (current.ok && !current.data)) return;
    const response = current.ok ? await open(url, current.data!, lastEventId(), send, until) : undefined;
    if (response?.ok && response.body) {
      delay = FIRST_DELAY_MS;
      onConnected(true);
      yield* notificationsIn(response.body);
      onConnected(false);
    } else {
      await response?.body?.cancel();
      if (response?.status === 401 && current.ok && (await session.renew(current.data)).kind === 'ended') return;
    }
    await wait(delay * (0.5 + Math.random()), until); // jitter, so that clients do not reconnect all at once
    delay = Math.min(delay * 2, MAX_DELAY_MS);
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

/** Ends when the body ends, also if the connection breaks. */
async function* notificationsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event === 'connected') events.push({ id });
      if (event === 'notification') events.push({ id, notification: JSON.parse(data) as Schemas['NotificationView'] });
    },
  });
  try {
    for (;;) {
      const part = await reader.read().catch(() => undefined); // the connection broke, or the signal was aborted
      if (!part || part.done) return;
      parser.feed(part.value);
      yield* events;
      events = [];
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
