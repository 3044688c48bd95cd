// `npm run reset`: forgets all data of local mode.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '.data');
if (!existsSync(folder)) {
  console.log('There is nothing to forget.');
  process.exit(0);
}
const lock = join(folder, 'local.pid');
if (existsSync(lock) && isLocalMode(Number(readFileSync(lock, 'utf8')))) {
  console.error('Local mode is running. Stop it first (Ctrl-C).');
  process.exit(1);
}
// Where root's server keeps its data when others cannot enter this folder; see postgres-home.ts.
rmSync(join('/var/lib', `tenantry-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12)}`), {
  recursive: true,
  force: true,
});
rmSync(folder, { recursive: true, force: true });
console.log('Forgotten. `npm start` begins anew.');

/** As in local-lock.ts, which is not compiled yet when this runs. */
function isLocalMode(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || /start\.mjs|dev\/local/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
