import type { Schemas } from './api-answer.js';
import { CrossTabChannel } from './cross-tab-channel.js';
import { CrossTabLock } from './cross-tab-lock.js';
import { readNotificationStream, type StreamEvent } from './notification-stream.js';
import type { Session } from './session.js';

/** The callbacks of `api.notifications`. */
export interface StreamListener {
  /** Called once for each new notification. */
  readonly onNotification: (notification: Schemas['NotificationView']) => void;
  /**
   * Called with true when the stream is connected, and with false when the connection is lost. The
   * client reconnects with growing delays and continues where the connection was lost. Fetch the
   * list of notifications on each true: those from before the first connection are not in the
   * stream.
   */
  readonly onConnected?: (isConnected: boolean) => void;
}

/** Between tabs. `isAsking`: a new tab asks the reading one whether the stream is connected. */
type Message = StreamEvent | { readonly isConnected: boolean } | { readonly isAsking: true };

/**
 * Reads the notification stream once for all tabs of one user and tenant: over HTTP/1.1 a browser
 * opens at most six connections to a host, and a stream occupies one. One tab reads and forwards to
 * the others. When it is closed, the next one continues. Ends when the signal is aborted, the
 * session ends, or the session gets another owner.
 */
export async function shareNotifications(
  url: string,
  session: Session,
  send: typeof fetch,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const owner = session.owner();
  if (owner === undefined || signal.aborted) return;
  const ownerChanged = new AbortController();
  const unsubscribe = session.subscribe(() => {
    if (session.owner() !== owner) ownerChanged.abort();
  });
  const until = AbortSignal.any([signal, ownerChanged.signal]);
  let lastEventId: string | undefined;
  let isConnected = false;
  let isReading = false;

  const receive = (message: Message) => {
    if (until.aborted) return;
    if ('id' in message) {
      // The last event of a closed tab can arrive twice: from that tab and from its successor.
      if (isKnown(message.id, lastEventId)) return;
      lastEventId = message.id;
      if (message.notification) listener.onNotification(message.notification);
    } else if ('isConnected' in message) {
      if (message.isConnected === isConnected) return;
      isConnected = message.isConnected;
      listener.onConnected?.(isConnected);
    } else if (isReading) {
      channel.send({ isConnected });
      if (lastEventId !== undefined) channel.send({ id: lastEventId });
    }
  };
  const name = `tenantry.notifications ${owner}`;
  const channel = new CrossTabChannel<Message>(name, receive);
  const publish = (message: Message) => {
    channel.send(message);
    receive(message);
  };
  const onConnected = (isNowConnected: boolean) => publish({ isConnected: isNowConnected });
  channel.send({ isAsking: true });
  try {
    await new CrossTabLock(name).run(async () => {
      isReading = true;
      onConnected(false); // the tab that read before was closed and could not report this
      const events = readNotificationStream(url, session, send, () => lastEventId, onConnected, until);
      for await (const event of events) publish(event);
    }, until);
  } catch (thrown) {
    if (!until.aborted) throw thrown;
  } finally {
    unsubscribe();
    channel.close();
  }
}

/** Event ids are ascending numbers. */
function isKnown(id: string | undefined, last: string | undefined): boolean {
  return id !== undefined && last !== undefined && BigInt(id) <= BigInt(last);
}
