import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nounOf } from './name-forms';

/** The module that new ones are copies of. Its tests are what proves the copies. */
export const EXAMPLE = nounOf('projects', 'project');

const { kebab } = EXAMPLE.many;
export const EXAMPLE_ENTITY = `src/${kebab}/domain/${EXAMPLE.one.kebab}.ts`;
export const EXAMPLE_TESTS = `test/e2e/${kebab}/${kebab}.e2e-spec.ts`;

/** The files of the example: its folder, its tests and its migration. */
export function filesOfExample(root: string): string[] {
  const sources = readdirSync(join(root, 'src', kebab), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${kebab}/${file.replaceAll('\\', '/')}`);
  const [migration] = readdirSync(join(root, 'migrations')).filter((file) => file.endsWith(`-${kebab}.ts`));
  return [...sources.sort(), EXAMPLE_TESTS, `migrations/${migration}`];
}
