import type { ChangeSet } from './change-set';
import type { Noun } from './name-forms';

/** Adds a route to docs/contract.md: a row below those of its module. */
export function addPath(changes: ChangeSet, { many }: Noun, route: string, permission: string): void {
  const rows = new RegExp(`^\\| [^|]*/tenants/current/${many.kebab}/.*$`, 'gm');
  changes.edit('docs/contract.md', (text) => {
    const last = [...text.matchAll(rows)].at(-1)?.[0];
    if (!last) throw new Error(`docs/contract.md has no row with /tenants/current/${many.kebab}/.`);
    return text.replace(last, `${last}\n| ${route} | ${many.kebab}.${permission} | |`);
  });
}
