import { make } from '../../dev/make/make-sources';

/** Calls the generator several times in one process. The calls are given as JSON. */
async function main(): Promise<void> {
  for (const call of JSON.parse(process.argv[2]) as string[][]) await make(process.cwd(), call);
}

void main();
