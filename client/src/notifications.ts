import { createParser } from 'eventsource-parser';
import type { Schemas } from './answer.js';
import type { Session } from './session.js';
import { Tabs } from './tabs.js';

export interface StreamListener {
  /** A new notification; none is missed and none comes twice as long as the stream is followed. */
  readonly onNotification: (notification: Schemas['NotificationView']) => void;
  /** Whether the stream stands; while it does not, it is tried again with growing pauses. */
  readonly onConnected?: (isConnected: boolean) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

type Message = { readonly notification: Schemas['NotificationView'] } | { readonly isConnected: boolean };

/**
 * Follows the stream, once for all tabs of the same person and tenant: a browser has six connections to a host, and a stream keeps one. One tab reads and tells
 * the others; when it is closed, the next one goes on.
 */
export async function shareNotifications(
  url: string,
  session: Session,
  send: typeof fetch,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const claims = session.claims();
  if (!claims) return;
  const hear = (message: Message) =>
    'notification' in message ? listener.onNotification(message.notification) : listener.onConnected?.(message.isConnected);
  const tabs = new Tabs<Message>(['tenantry.notifications', claims.sub, claims.tenant_id, claims.impersonator_id].join(' '), hear);
  const tell = (message: Message) => {
    hear(message);
    tabs.tell(message);
  };
  try {
    await tabs.alone(() => followNotifications(url, session, send, tell, signal), signal);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    tabs.close();
  }
}

/** Follows the stream over interruptions and the ends of access tokens (contract section 4: GET /notifications/stream, Last-Event-ID). */
async function followNotifications(
  url: string,
  session: Session,
  send: typeof fetch,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId: string | undefined;
  let pause = FIRST_PAUSE_MS;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      lastEventId = id ?? lastEventId;
      if (event === 'notification') tell({ notification: JSON.parse(data) as Schemas['NotificationView'] });
    },
  });
  while (!signal.aborted) {
    const current = await session.token();
    if (current.ok && !current.token) return;
    const token = current.ok ? current.token : undefined;
    const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) };
    const response = token ? await send(url, { headers, signal, cache: 'no-store' }).catch(() => undefined) : undefined;
    if (response?.status === 401) {
      if ((await session.renew(token)).is === 'ended') return;
    } else if (response?.ok && response.body) {
      tell({ isConnected: true });
      pause = FIRST_PAUSE_MS;
      await read(response.body, (text) => parser.feed(text));
      parser.reset();
      tell({ isConnected: false });
    }
    await rest(pause * (0.5 + Math.random()), signal); // not all clients at once, after a restart of the service
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Ends when the stream does, however that comes. */
async function read(body: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
  } catch {
    // cut, or closed by the signal: the loop goes on from the last event, or ends
  }
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
