import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Opens a connection to a host through a proxy. */
export type OpenTunnel = (host: string, port: number) => Promise<Socket>;

type Options = http.ClientRequestArgs;
type Done = (error: Error | null, stream: Duplex) => void;

/** Hands over a tunnel when it is open. Node passes a failure without a stream. */
function pass(opened: Promise<Duplex>, done?: Done): undefined {
  opened.then(
    (stream) => done?.(null, stream),
    (error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
  );
}

/** An agent for http whose connections are tunnels. */
export class HttpTunnelAgent extends http.Agent {
  constructor(
    options: http.AgentOptions,
    private readonly open: OpenTunnel,
  ) {
    super(options);
  }

  override createConnection(options: Options, done?: Done): undefined {
    return pass(this.open(options.host!, Number(options.port)), done);
  }
}

/** An agent for https: TLS with the host itself, within the tunnel. */
export class HttpsTunnelAgent extends https.Agent {
  constructor(
    options: https.AgentOptions,
    private readonly open: OpenTunnel,
  ) {
    super(options);
  }

  override createConnection(options: Options, done?: Done): undefined {
    const secured = this.open(options.host!, Number(options.port)).then((socket) => {
      const within: Options & { readonly socket: Socket } = { ...options, socket };
      return super.createConnection(within)!;
    });
    return pass(secured, done);
  }
}
