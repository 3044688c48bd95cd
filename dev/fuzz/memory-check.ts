import { join } from 'node:path';
import { freePort } from '../free-port';

/** The memory of the service after a number of requests. */
export interface MemorySample {
  readonly sent: number;
  /** Bytes of heap and buffers in use after a garbage collection. */
  readonly used: number;
  /** Resident memory in bytes. */
  readonly rss: number;
}

/** The share of a run that counts as warm-up: code is compiled, pools and caches fill. */
const WARM_UP = 1 / 3;
/**
 * Allowed growth after the warm-up: bytes per request, and a constant for data that is kept for
 * some minutes and for code that an operation loads when it first succeeds (about 20 kB each).
 */
const PER_REQUEST = 250;
const CONSTANT_BYTES = 12 * 2 ** 20;

/** Samples the memory of a process that has loaded the heap probe. */
export class MemoryProbe {
  readonly samples: MemorySample[] = [];

  private constructor(private readonly port: number) {}

  static async create(): Promise<MemoryProbe> {
    return new MemoryProbe(await freePort());
  }

  /** Environment variables with which the process must be started. */
  get env() {
    return {
      HEAP_PROBE_PORT: String(this.port),
      NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'heap-probe.js'))}`,
    };
  }

  async sample(sent: number): Promise<void> {
    const { used, rss } = (await (await fetch(`http://127.0.0.1:${this.port}`)).json()) as Omit<MemorySample, 'sent'>;
    this.samples.push({ sent, used, rss });
  }
}

/**
 * @returns a sentence if memory grows with the number of requests after the warm-up, otherwise
 * undefined
 */
export function findLeak(samples: readonly MemorySample[]): string | undefined {
  const last = samples[samples.length - 1];
  const warm = samples.find(({ sent }) => sent >= last.sent * WARM_UP)!;
  const [requests, bytes] = [last.sent - warm.sent, last.used - warm.used];
  if (bytes <= CONSTANT_BYTES + requests * PER_REQUEST) return undefined;
  const change = `${inMegabytes(warm.used)}, then ${inMegabytes(last.used)}`;
  return `The service uses ${inMegabytes(bytes)} MB more after ${requests} requests (${change}).`;
}

/** The samples as text. */
export function describeMemory(samples: readonly MemorySample[]): string {
  const used = samples.map((sample) => inMegabytes(sample.used)).join(', ');
  return `MB used ${used}; resident ${inMegabytes(samples[0].rss)} to ${inMegabytes(samples[samples.length - 1].rss)}`;
}

const inMegabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
