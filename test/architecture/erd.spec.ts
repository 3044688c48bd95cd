import { readFileSync } from 'node:fs';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { entityDiagram } from '../../dev/erd/diagram';
import { ENTITY_CLASSES } from '../../src/entities';

@Entity('forgotten')
class Forgotten {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
}

/** Without what the formatter changes: widths of columns and empty lines. */
const unformatted = (markdown: string) =>
  markdown
    .replace(/ *\| */g, '|')
    .replace(/-{3,}/g, '---')
    .replace(/\n+/g, '\n')
    .trim();

describe('docs/erd.md', () => {
  const written = unformatted(readFileSync('docs/erd.md', 'utf8'));

  it('shows the entities as they are (otherwise: npm run erd)', async () => {
    expect(written).toBe(unformatted(await entityDiagram(ENTITY_CLASSES)));
  });

  it('would be out of date with one entity more', async () => {
    expect(written).not.toBe(unformatted(await entityDiagram([...ENTITY_CLASSES, Forgotten])));
  });
});
