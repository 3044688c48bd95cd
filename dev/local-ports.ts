import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { freePort } from './free-port';

/** The parts of local mode that listen on a port of their own. */
type Part = 'service' | 'inbox' | 'identityProvider' | 'processor';

/**
 * The ports of local mode. A part keeps its port at the next start, even if its preferred one is
 * free by then: addresses that were written down, such as those of webhooks, stay valid.
 */
export class LocalPorts {
  private readonly kept: Partial<Record<Part, number>>;

  /** @param preferred the ports of the first start; 0: any free port */
  constructor(
    private readonly file: string,
    private readonly preferred: Record<Part, number>,
  ) {
    this.kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<Part, number>>) : {};
  }

  /** @returns the port of the last start, or the next free one above it */
  async portOf(part: Part): Promise<number> {
    const port = await freePort(this.kept[part] ?? this.preferred[part]);
    this.kept[part] = port;
    writeFileSync(this.file, JSON.stringify(this.kept));
    return port;
  }
}
