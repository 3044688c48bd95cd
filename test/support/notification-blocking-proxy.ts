import type { Socket } from 'node:net';
import { TcpProxy } from '../../dev/tcp-proxy';

/** The application_name of the connection on which an instance listens for notifications. */
const LISTENER = 'tenantry listener';

/** NotificationResponse (PostgreSQL documentation, section "Message Formats"). */
const NOTIFICATION = 'A';

/**
 * A proxy in front of PostgreSQL that drops notifications, like a pooler in transaction mode:
 * LISTEN succeeds, but no notification arrives. It can also freeze the listening connections.
 */
export class NotificationBlockingProxy {
  /** Whether notifications are forwarded. */
  forwardsNotifications = false;
  private readonly listeners = new Set<Socket>();
  private proxy!: TcpProxy;

  static async start(url: string): Promise<NotificationBlockingProxy> {
    const blocking = new NotificationBlockingProxy();
    blocking.proxy = await TcpProxy.start(url, (client, database) => blocking.relay(client, database));
    return blocking;
  }

  /** The address of the database through this proxy. */
  get url(): string {
    return this.proxy.url;
  }

  /** Freezes the open listening connections and refuses new connections. */
  freezeListeners(): void {
    this.proxy.refuseNew();
    for (const socket of this.listeners) socket.pause();
  }

  async close(): Promise<void> {
    await this.proxy.close();
  }

  private relay(client: Socket, database: Socket): void {
    client.once('data', (startup) => {
      if (startup.includes(LISTENER)) this.listeners.add(database);
    });
    client.on('data', (data) => database.write(data));
    let rest = Buffer.alloc(0);
    database.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = rest.readUInt32BE(1) + 1;
        const isNotification = String.fromCharCode(rest[0]) === NOTIFICATION;
        if (this.forwardsNotifications || !isNotification) client.write(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
  }
}
