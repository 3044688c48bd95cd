import type { Schemas } from './answer.js';
import type { Session } from './session.js';
import { eventsOf, type StreamEvent } from './stream.js';
import { Tabs } from './tabs.js';

export interface StreamListener {
  /** A new notification; none comes twice. */
  readonly onNotification: (notification: Schemas['NotificationView']) => void;
  /**
   * Whether the stream stands; while it does not, it is tried again with growing pauses. It goes on
   * after the last notification that it brought; read the list whenever it stands (again), for what
   * came before it brought any.
   */
  readonly onConnected?: (isConnected: boolean) => void;
}

/**
 * What the tab that reads tells the others; `isAsking`: one that has just come wants to know how it
 * stands.
 */
type Message = StreamEvent | { readonly isConnected: boolean } | { readonly isAsking: true };

/**
 * Follows the stream, once for all tabs of the same person and tenant: a browser has six
 * connections to a host, and a stream keeps one. One tab reads and tells the others; when it is
 * closed, the next one goes on where it was. Ends with the signal, the session, and when the
 * session becomes another's.
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
  const end = new AbortController();
  const unsubscribe = session.subscribe(() => session.owner() !== owner && end.abort());
  const until = AbortSignal.any([signal, end.signal]);
  let lastEventId: string | undefined;
  let isConnected = false;
  let isReading = false;

  const hear = (message: Message) => {
    if (until.aborted) return;
    if ('notification' in message) {
      // the last one of a tab that was closed may come twice: by it, and by the next
      if (isKnown(message.id, lastEventId)) return;
      lastEventId = message.id;
      listener.onNotification(message.notification);
    } else if ('isConnected' in message) {
      if (message.isConnected !== isConnected) listener.onConnected?.((isConnected = message.isConnected));
    } else if (isReading) tabs.tell({ isConnected });
  };
  const tabs = new Tabs<Message>(`tenantry.notifications ${owner}`, hear);
  const tellAll = (message: Message) => {
    tabs.tell(message);
    hear(message);
  };
  tabs.tell({ isAsking: true });
  try {
    await tabs.alone(async () => {
      isReading = true;
      tellAll({ isConnected: false }); // the tab that read until now could not tell any more
      const events = eventsOf(
        url,
        session,
        send,
        () => lastEventId,
        (is) => tellAll({ isConnected: is }),
        until,
      );
      for await (const event of events) tellAll(event);
    }, until);
  } catch (thrown) {
    if (!until.aborted) throw thrown;
  } finally {
    unsubscribe();
    tabs.close();
  }
}

/** Ids are places in the stream, and grow. */
function isKnown(id: string | undefined, last: string | undefined): boolean {
  return id !== undefined && last !== undefined && BigInt(id) <= BigInt(last);
}
