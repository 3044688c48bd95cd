import { readdirSync, readFileSync } from 'node:fs';

/**
 * The share of all CPU time that other work may take before a measurement counts as disturbed: a
 * fifth of one of two cores.
 */
export const DISTURBED_ABOVE = 0.1;

const KERNEL_THREADS = 2;

/** CPU time since the machine started, in the kernel's ticks. */
interface CpuTimes {
  /** Of all cores, including idle time. */
  readonly all: number;
  /** Taken by the hypervisor for other machines. */
  readonly stolen: number;
  /** Of all processes. */
  readonly busy: number;
  /** Of this process and its descendants, and of the kernel's own threads. */
  readonly own: number;
}

/** What a piece of work returned, and the share of CPU time that other work took meanwhile. */
export interface Observed<T> {
  readonly result: T;
  /** Steal time and the time of foreign processes, as a share of the time of all cores. */
  readonly foreign: number;
}

/**
 * Runs some work and observes how much CPU time other machines and other processes took meanwhile
 * (proc(5)). Without /proc the share is 0.
 */
export async function observe<T>(work: () => Promise<T>): Promise<Observed<T>> {
  const before = cpuTimes();
  const result = await work();
  const after = cpuTimes();
  const spent = (what: keyof CpuTimes) => after[what] - before[what];
  const others = Math.max(0, spent('busy') - spent('own')) + spent('stolen');
  return { result, foreign: spent('all') > 0 ? others / spent('all') : 0 };
}

function cpuTimes(): CpuTimes {
  if (process.platform !== 'linux') return { all: 0, stolen: 0, busy: 0, own: 0 };
  const [user, nice, system, idle, wait, irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .slice(1, 9)
    .map(Number);
  const busy = user + nice + system + irq + softirq;
  return { all: busy + idle + wait + stolen, stolen, busy, own: ownTime() };
}

/** The times of finished children are those of their parents, so nothing is lost between reads. */
function ownTime(): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? processTime(Number(name)) : []));
  const own = new Set([process.pid, KERNEL_THREADS]);
  // a parent may have a greater id than its child
  for (let before = 0; before < own.size;) {
    before = own.size;
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id);
  }
  return processes.reduce((sum, { id, time }) => sum + (own.has(id) ? time : 0), 0);
}

/** From the fields after the name in brackets; empty for a process that has ended. */
function processTime(id: number): { id: number; parent: number; time: number }[] {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return [{ id, parent: fields[1], time: fields[11] + fields[12] + fields[13] + fields[14] }];
  } catch {
    return [];
  }
}
