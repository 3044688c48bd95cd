import { writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { ENTITY_CLASSES } from '../../src/entities';
import { entityDiagram } from './diagram';

/** `npm run erd`: writes docs/erd.md. */
async function main(): Promise<void> {
  const text = await prettier.format(await entityDiagram(ENTITY_CLASSES), { parser: 'markdown' });
  writeFileSync('docs/erd.md', text);
}

void main();
