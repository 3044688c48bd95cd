import * as ts from 'typescript';

/** Replaces the characters from `start` to before `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after some edits, in any order. @throws if two of them overlap */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let changed = text;
  let before = text.length;
  for (const edit of [...edits].sort((a, b) => b.start - a.start || b.end - a.end)) {
    if (edit.end > before) throw new Error(`Two edits overlap: ${text.slice(edit.start, edit.end)}`);
    changed = changed.slice(0, edit.start) + edit.text + changed.slice(edit.end);
    before = edit.start;
  }
  return changed;
}

/** The syntax tree of a TypeScript file. */
export const parse = (text: string): ts.SourceFile =>
  ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);

/** All nodes of a tree that a test accepts. */
export function nodesIn<N extends ts.Node>(root: ts.Node, test: (node: ts.Node) => node is N): N[] {
  const found: N[] = [];
  const visit = (node: ts.Node): void => {
    if (test(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** Removes a node with the comments and the line before it. */
export const removal = (node: ts.Node): TextEdit => ({ start: node.getFullStart(), end: node.getEnd(), text: '' });

/** Removes an element of a list with the comma behind or before it. */
export function removalFromList(list: ts.NodeArray<ts.Node>, element: ts.Node): TextEdit {
  const index = list.indexOf(element);
  const next = list[index + 1] as ts.Node | undefined;
  if (next) return { start: element.getStart(), end: next.getStart(), text: '' };
  const start = index > 0 ? list[index - 1].getEnd() : element.getFullStart();
  return { start, end: element.getEnd(), text: '' };
}
