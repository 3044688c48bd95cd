import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeSet } from './change-set';

describe('A set of changes', () => {
  let root: string;
  let changes: ChangeSet;
  const file = (path: string) => join(root, path);
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tenantry-changes-'));
    mkdirSync(file('src'));
    writeFileSync(file('src/old.ts'), 'old');
    changes = new ChangeSet(root);
    changes.create('src/a/b/new.ts', 'new');
    changes.edit('src/old.ts', (text) => `${text}er`);
    changes.edit('src/old.ts', (text) => `${text}!`);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is not written before it is complete', () => {
    expect(changes.read('src/old.ts')).toBe('older!');
    expect([existsSync(file('src/a')), readFileSync(file('src/old.ts'), 'utf8')]).toEqual([false, 'old']);
    expect(() => changes.create('src/old.ts', '')).toThrow('src/old.ts exists already.');
    expect(() => changes.create('src/a/b/new.ts', '')).toThrow('src/a/b/new.ts exists already.');
  });

  it('is written before the scripts that follow', async () => {
    await changes.write([], () => expect(readFileSync(file('src/a/b/new.ts'), 'utf8')).toBe('new'));
    expect(readFileSync(file('src/old.ts'), 'utf8')).toBe('older!');
  });

  it('leaves no trace if a script fails, not even of what the script wrote', async () => {
    writeFileSync(file('generated'), 'before');
    const written = changes.write(['generated'], () => {
      writeFileSync(file('generated'), 'after');
      throw new Error('failed');
    });
    await expect(written).rejects.toThrow('failed');
    expect(['src/old.ts', 'generated'].map((path) => readFileSync(file(path), 'utf8'))).toEqual(['old', 'before']);
    expect(existsSync(file('src/a'))).toBe(false);
  });
});
