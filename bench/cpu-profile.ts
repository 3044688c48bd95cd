/** What V8's profiler returns: a tree of calls, and the node and duration of each sample. */
export interface CpuProfile {
  readonly nodes: readonly CallNode[];
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface CallNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** CPU time in microseconds by package, and by function. */
export interface ProfiledTime {
  readonly packages: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
}

const IDLE = '(idle)';
/** Starting and stopping the profiler itself. */
const PROFILER = 'node:inspector';
/** What V8 itself does, without a file. */
const OF_ENGINE: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code',
  '(root)': 'native code',
};

/**
 * Adds up the samples of a profile. A built-in function, such as JSON.stringify, counts for the
 * package that called it. Waiting does not count, nor does the profiler.
 */
export function timeOf(profile: CpuProfile): ProfiledTime {
  const times = { packages: new Map<string, number>(), functions: new Map<string, number>() };
  const places = placesOf(profile);
  profile.samples.forEach((id, n) => {
    const place = places.get(id);
    if (!place) return;
    add(times.packages, place.package, profile.timeDeltas[n]);
    add(times.functions, place.function, profile.timeDeltas[n]);
  });
  return times;
}

interface Place {
  readonly package: string;
  readonly function: string;
}

/** The place of each node; none for what does not count. */
function placesOf({ nodes }: CpuProfile): Map<number, Place> {
  const places = new Map<number, Place>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = ({ callFrame, id, children = [] }: CallNode, caller: string) => {
    const { functionName, url, lineNumber } = callFrame;
    if (url === PROFILER) return;
    const owner = OF_ENGINE[functionName] ?? (url === '' ? caller : packageOf(url));
    const line = url === '' ? '' : `:${lineNumber + 1}`;
    const name = `${functionName || '(anonymous)'} ${owner} ${url.split('/').slice(-1)[0]}${line}`;
    if (functionName !== IDLE) places.set(id, { package: owner, function: name.trimEnd() });
    for (const child of children) visit(byId.get(child)!, owner);
  };
  visit(nodes[0], 'native code');
  return places;
}

/** The package of a file; of the service itself the folder in src, and `node` for Node's own. */
export function packageOf(url: string): string {
  if (url.startsWith('node:')) return 'node';
  const inModules = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (inModules) return inModules[1];
  const inSource = /\/dist\/(src\/[^/]+)\//.exec(url);
  return inSource ? inSource[1] : 'other';
}

function add(times: Map<string, number>, key: string, microseconds: number): void {
  times.set(key, (times.get(key) ?? 0) + microseconds);
}
