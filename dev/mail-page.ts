import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string) => readFileSync(join(process.cwd(), 'dev', 'pages', file), 'utf8');

/**
 * A page of emails from dev/pages, with the icon and the styles that the pages share.
 * @param nonce of its scripts and styles, where a content security policy requires one
 */
export const mailPage = (file: string, nonce = ''): string =>
  read(file).replace('{{style}}', read('mail-style.html')).replaceAll('{{nonce}}', nonce);
