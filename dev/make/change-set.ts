import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuse } from './make-refusal';

/** A file that is created or edited. */
export interface Change {
  readonly path: string;
  readonly isNew: boolean;
  readonly before: string;
  readonly text: string;
}

/** Files to create and to edit. Nothing is written before `write`, so a refusal leaves no trace. */
export class ChangeSet {
  private readonly changed = new Map<string, Change>();
  private readonly folders: string[] = [];

  /** @param root the repository */
  constructor(private readonly root: string) {}

  /** The file as it will be. */
  read(path: string): string {
    return this.changed.get(path)?.text ?? readFileSync(join(this.root, path), 'utf8');
  }

  exists(path: string): boolean {
    return this.changed.has(path) || existsSync(join(this.root, path));
  }

  create(path: string, text: string): void {
    if (this.exists(path)) refuse(`${path} exists already.`);
    this.changed.set(path, { path, isNew: true, before: '', text });
  }

  edit(path: string, change: (text: string) => string): void {
    const { isNew = false, before = this.read(path) } = this.changed.get(path) ?? {};
    this.changed.set(path, { path, isNew, before, text: change(this.read(path)) });
  }

  get changes(): Change[] {
    return [...this.changed.values()];
  }

  /** Formats every file. @param format gets the file and its text */
  async format(format: (file: string, text: string) => Promise<string>): Promise<void> {
    for (const change of this.changes) {
      const text = await format(join(this.root, change.path), change.text);
      this.changed.set(change.path, { ...change, text });
    }
  }

  /**
   * Writes everything, then runs what follows. If that fails, all files are as before.
   * @param generated files that `then` writes
   */
  async write(generated: readonly string[], then: () => void | Promise<void>): Promise<void> {
    const old = generated.map((path) => [path, this.exists(path) ? this.read(path) : undefined] as const);
    try {
      for (const { path, text } of this.changes) this.put(path, text);
      await then();
    } catch (error) {
      for (const [path, text] of old) if (text !== undefined) this.put(path, text);
      for (const { path, isNew, before } of this.changes) {
        if (isNew) rmSync(join(this.root, path), { force: true });
        else this.put(path, before);
      }
      for (const folder of this.folders.reverse()) rmdirSync(folder);
      throw error;
    }
  }

  private put(path: string, text: string): void {
    this.makeFolder(dirname(join(this.root, path)));
    writeFileSync(join(this.root, path), text);
  }

  private makeFolder(folder: string): void {
    if (existsSync(folder)) return;
    this.makeFolder(dirname(folder));
    mkdirSync(folder);
    this.folders.push(folder);
  }
}
