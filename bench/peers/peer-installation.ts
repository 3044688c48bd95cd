import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'bench/peers';

/** The exact version that is compared. */
export const PEER_VERSION = (
  JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
).dependencies['better-auth'];

/** Installs the packages of bench/peers unless they are installed. */
export function installPeers(say: (line: string) => void): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex');
  const stamp = join(FOLDER, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say(`  installing better-auth ${PEER_VERSION} …`);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: FOLDER, stdio: 'inherit' });
  writeFileSync(stamp, lock);
}
