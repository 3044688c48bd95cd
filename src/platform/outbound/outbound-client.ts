import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { SETTINGS, type Settings } from '../../config/settings';
import { err, ok, type Result } from '../result';
import { withTimeout } from '../timeout';
import { AddressPolicy } from './address-policy';
import { HostResolver } from './host-resolver';
import { failureOf, ForbiddenAddress, isStaleConnection, UnknownHost } from './outbound-errors';
import type { OutboundCode } from './outbound.failures';
import { openTunnel } from './proxy-tunnel';
import { HttpsTunnelAgent, HttpTunnelAgent } from './tunnel-agents';

/** Milliseconds for a request with its answer, from the name query to the last byte. */
const TOTAL_MS = 15_000;
/** Bytes and chunks of a body that are read before the connection is closed. */
const MOST_BYTES = 4 * 1024;
const MOST_CHUNKS = 64;
/** Interim responses (1xx) before the one that counts. */
const MOST_INTERIM = 2;
/** Addresses of a host that are tried: a name server may list thousands of others' addresses. */
const MOST_PER_FAMILY = 2;
/** Connections that stay open for the next request of a host, and for how many milliseconds. */
const KEPT_ALIVE = { keepAlive: true, maxFreeSockets: 4, timeout: TOTAL_MS };

/** An answer with any status. Redirects are answers, too: they are never followed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The start of the body, at most 4 kB in 64 chunks, read as UTF-8. */
  readonly body: string;
}

/** What is sent. */
export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The only way to an address that a tenant has given. A name is resolved once for a connection,
 * every address of it is checked (AddressPolicy), and the connection goes to a checked one, so that
 * a name server cannot show another address in between. With WEBHOOK_PROXY_URL a proxy connects to
 * that address. Proxies of the environment are not used.
 */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  /** Milliseconds after which a request fails. */
  protected readonly totalMs: number = TOTAL_MS;
  private readonly agents: Readonly<Record<string, http.Agent>>;

  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolver: HostResolver,
    @Inject(SETTINGS) { outbound: { proxyUrl } }: Settings,
  ) {
    this.agents = proxyUrl === undefined ? this.directAgents() : this.agentsThrough(new URL(proxyUrl));
  }

  /** Sends a POST request. @returns the answer, or why there is none */
  async post(request: OutboundRequest): Promise<Result<OutboundAnswer, OutboundCode>> {
    const url = this.policy.parse(request.url); // checks a literal address, too, which no lookup sees
    if (!url.ok) return url;
    const signal = AbortSignal.timeout(this.totalMs);
    try {
      return ok(await this.send(url.value, request, signal));
    } catch (error) {
      return err(failureOf(error, signal.aborted));
    }
  }

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** A receiver may close a kept connection just when it is used again; that is tried once more. */
  private async send(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    for (;;) {
      const sent = this.begin(url, request, signal);
      try {
        return await answerTo(sent, request.body);
      } catch (error) {
        if (!isStaleConnection(error, sent)) throw error;
      }
    }
  }

  private begin(url: URL, { headers, body }: OutboundRequest, signal: AbortSignal): ClientRequest {
    const { request } = url.protocol === 'https:' ? https : http;
    const length = { 'Content-Length': Buffer.byteLength(body), 'Accept-Encoding': 'identity' };
    const options = { method: 'POST', headers: { ...headers, ...length }, agent: this.agents[url.protocol], signal };
    return request(url, options);
  }

  private directAgents() {
    const lookup: LookupFunction = (host, { all }, done) => {
      void this.checkedAddresses(host).then(
        (found) => (all ? done(null, found) : done(null, found[0].address, found[0].family)),
        (error: Error) => done(error, []),
      );
    };
    return {
      'https:': new https.Agent({ ...KEPT_ALIVE, lookup }),
      'http:': new http.Agent({ ...KEPT_ALIVE, lookup }),
    };
  }

  private agentsThrough(proxy: URL) {
    const open = (host: string, port: number) => this.openThrough(proxy, host, port);
    return {
      'https:': new HttpsTunnelAgent(KEPT_ALIVE, open),
      'http:': new HttpTunnelAgent(KEPT_ALIVE, open),
    };
  }

  /**
   * Tries the addresses of a host one after the other, each for an equal share of the time
   * that is left: Node does not report the end of a request before its connection is open.
   */
  private async openThrough(proxy: URL, host: string, port: number): Promise<Socket> {
    const end = performance.now() + this.totalMs;
    const tried = isIP(host) === 0 ? await withTimeout(this.totalMs, this.checkedAddresses(host)) : [{ address: host }];
    for (let i = 0; ; i++) {
      try {
        return await openTunnel(proxy, tried[i].address, port, (end - performance.now()) / (tried.length - i));
      } catch (error) {
        if (i === tried.length - 1) throw error;
      }
    }
  }

  /**
   * The first addresses of each family, after all were checked.
   * @throws UnknownHost, or ForbiddenAddress if only one of several is forbidden
   */
  private async checkedAddresses(host: string) {
    const addresses = await this.resolver.resolve(host);
    if (addresses.length === 0) throw new UnknownHost();
    if (!addresses.every((address) => this.policy.allows(address))) throw new ForbiddenAddress();
    const families = [addresses.filter((address) => !isIPv6(address)), addresses.filter(isIPv6)];
    return families.flatMap((found, i) =>
      found.slice(0, MOST_PER_FAMILY).map((address) => ({ address, family: i === 0 ? 4 : 6 })),
    );
  }
}

async function answerTo(request: ClientRequest, body: string): Promise<OutboundAnswer> {
  let interim = 0;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const refuse = () => {
      const error = new Error('too many interim responses');
      reject(error); // the response may be behind them in the same packet
      request.destroy(error);
    };
    request.on('information', () => (++interim > MOST_INTERIM ? refuse() : undefined));
    request.on('response', resolve).on('error', reject).end(body);
  });
  return { status: response.statusCode!, headers: response.headers, body: await beginningOf(response) };
}

/** Reads a body up to the limits, and closes the connection if there is more. */
function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const end = () => resolve(Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8'));
    response.on('data', (chunk: Buffer) => {
      if (response.destroyed) return;
      chunks.push(chunk);
      size += chunk.length;
      if (size < MOST_BYTES && chunks.length < MOST_CHUNKS) return;
      end();
      response.destroy();
    });
    response.on('end', end).on('error', reject);
  });
}
