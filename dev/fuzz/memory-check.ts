import { join } from 'node:path';
import { freePort } from '../free-port';

/** What the service's process held when so many requests had been sent. */
export interface MemorySample {
  readonly sent: number;
  /** Bytes of its heap and its buffers that are in use after the garbage was collected. */
  readonly held: number;
  /** Bytes that the system has given it. */
  readonly rss: number;
}

/** The part of a run that counts as warm-up: code is compiled, connections and caches fill. */
const WARM_UP = 1 / 3;
/**
 * Bytes that the service may grow by per request after it, and in all on top: what is kept for
 * minutes only is not gone yet at the end.
 */
const PER_REQUEST = 250;
const ON_TOP = 8 * 2 ** 20;

/** Asks a process that has loaded the probe. */
export class MemoryProbe {
  readonly samples: MemorySample[] = [];

  private constructor(private readonly port: number) {}

  static async listening(): Promise<MemoryProbe> {
    return new MemoryProbe(await freePort());
  }

  /** What the process must be started with. */
  get env() {
    return {
      HEAP_PROBE_PORT: String(this.port),
      NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'heap-probe.js'))}`,
    };
  }

  async sample(sent: number): Promise<void> {
    const { held, rss } = (await (await fetch(`http://127.0.0.1:${this.port}`)).json()) as Omit<MemorySample, 'sent'>;
    this.samples.push({ sent, held, rss });
  }
}

/**
 * Whether memory leaks: it goes on growing after the warm-up, with the number of requests.
 * Undefined when it does not.
 */
export function findLeak(samples: readonly MemorySample[]): string | undefined {
  const last = samples[samples.length - 1];
  const warm = samples.find(({ sent }) => sent >= last.sent * WARM_UP)!;
  const [requests, bytes] = [last.sent - warm.sent, last.held - warm.held];
  if (bytes <= ON_TOP + requests * PER_REQUEST) return undefined;
  return `The service holds ${inMegabytes(bytes)} MB more after ${requests} requests (${inMegabytes(warm.held)}, then ${inMegabytes(last.held)}).`;
}

/** The samples for people to read. */
export function describeMemory(samples: readonly MemorySample[]): string {
  const held = samples.map((sample) => inMegabytes(sample.held)).join(', ');
  return `MB held ${held}; resident ${inMegabytes(samples[0].rss)} to ${inMegabytes(samples[samples.length - 1].rss)}`;
}

const inMegabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
