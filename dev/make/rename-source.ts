import * as ts from 'typescript';
import { articleOf, type NameForms, type Noun } from './name-forms';
import { nodesIn, parse } from './text-edits';

type Form = keyof NameForms;
type Range = readonly [number, number];

const SQL = /\b(SELECT|FROM|TABLE|POLICY|INSERT|UPDATE|DELETE|CONSTRAINT)\b/;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/**
 * A TypeScript source about another noun. Each place gets the form that it needs: classes and
 * variables, tables and constraints, paths and permissions, sentences.
 */
export function renameSource(text: string, from: Noun, to: Noun): string {
  const literals = literalsIn(parse(text));
  let renamed = '';
  let position = 0;
  for (const [[start, end], form] of literals) {
    renamed += renameCode(text.slice(position, start), from, to);
    renamed += renameText(text.slice(start, end), form, from, to);
    position = end;
  }
  return renamed + renameCode(text.slice(position), from, to);
}

/** The texts in quotes, with the form that names have in them. */
function literalsIn(source: ts.SourceFile): [Range, Form][] {
  return nodesIn(source, isText)
    .map((node): [Range, Form] => [[node.getStart(), node.getEnd()], formIn(node)])
    .sort(([a], [b]) => a[0] - b[0]);
}

type Text = ts.StringLiteral | ts.TemplateLiteralToken;

const isText = (node: ts.Node): node is Text => ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);

function formIn({ text, parent }: Text): Form {
  if (ts.isImportDeclaration(parent)) return 'kebab';
  if (SQL.test(text) || /_/.test(text)) return 'snake';
  if (/\s/.test(text.trim()) || isCallOf('describe', parent)) return 'words';
  if (isCallOf('Entity', parent)) return 'snake';
  if (['this.planLimits.within', 'this.planUse.countBy'].some((callee) => isCallOf(callee, parent))) return 'camel';
  return 'kebab';
}

const isCallOf = (name: string, node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.getText() === name;

/** Code without texts in quotes: identifiers and comments. */
function renameCode(code: string, from: Noun, to: Noun): string {
  let renamed = '';
  let position = 0;
  for (const { 0: comment, index } of code.matchAll(COMMENT)) {
    renamed += renameText(code.slice(position, index), 'camel', from, to);
    renamed += renameText(comment, 'words', from, to);
    position = index + comment.length;
  }
  return renamed + renameText(code.slice(position), 'camel', from, to);
}

/** @param form of names in lower case; `words` only of those that are whole words */
function renameText(text: string, form: Form, from: Noun, to: Noun): string {
  const { one, many } = from;
  const name = new RegExp(`(?:\\b(an?) )?(${many.pascal}|${one.pascal})`, 'gi');
  return text.replace(name, (match: string, article: string | undefined, found: string, index: number) => {
    const forms = found.length === many.pascal.length ? to.many : to.one;
    const end = index + match.length;
    const isWord = !/[\w/-]/.test(text.charAt(index - 1)) && !/[\w/-]/.test(text.charAt(end));
    const renamed = renameName(found, isWord || form !== 'words' ? form : 'camel', forms, isWord && form === 'words');
    return article === undefined ? renamed : `${articleLike(article, renamed)} ${renamed}`;
  });
}

function renameName(found: string, form: Form, forms: NameForms, isWord: boolean): string {
  if (found === found.toUpperCase()) return forms.constant;
  if (found === found.toLowerCase()) return forms[form];
  return isWord ? forms.words.charAt(0).toUpperCase() + forms.words.slice(1) : forms.pascal;
}

const articleLike = (article: string, word: string): string =>
  article.startsWith('A') ? articleOf(word).replace('a', 'A') : articleOf(word);
