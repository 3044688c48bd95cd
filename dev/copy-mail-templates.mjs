// Copies the templates of mails beside the compiled sources, because tsc copies TypeScript only:
// `node dev/copy-mail-templates.mjs [folder of the build]`.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , build = 'dist'] = process.argv;

for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.hbs')) continue;
  const copy = join(build, 'src', file);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join('src', file), copy);
}
