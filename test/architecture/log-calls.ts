import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { nodesIn, parse } from '../../dev/make/text-edits';

const LOG_CALL = /(^|\.)log(\.(fatal|error|warn|info|debug)|\[.+\])$/;
const MAY_LOG = /\blog\s*[.[]/;
const LEVEL = /^(fatal|error|warn|info|debug)$/;
const EVENT = /^\w+\.\w+$/;

/** A call of the log. */
export interface LogCall {
  /** `file:line`. */
  readonly place: string;
  /** Undefined if it is missing, not a literal, or not of the form `noun.happened`. */
  readonly event: string | undefined;
  /** All levels that the call can have; none if they cannot be read from its file. */
  readonly levels: readonly string[];
  /** The text of the message, if it is a literal. */
  readonly message: string | undefined;
}

/** The calls of the log in a source file. */
export function logCallsIn(file: string, text: string): LogCall[] {
  if (!MAY_LOG.test(text)) return []; // reading it as TypeScript takes longer
  const source = parse(text);
  return nodesIn(source, ts.isCallExpression)
    .filter(({ expression }) => LOG_CALL.test(expression.getText()))
    .map((call) => {
      const [fields, message] = call.arguments;
      return {
        place: `${file}:${source.getLineAndCharacterOfPosition(call.getStart()).line + 1}`,
        event: eventOf(fields),
        levels: [...new Set(levelsOf(call.expression))],
        message: message && ts.isStringLiteralLike(message) ? message.text : undefined,
      };
    });
}

/** The calls of the log in all files of the service. */
export const logCalls = (): LogCall[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => logCallsIn(file, readFileSync(join('src', file), 'utf8')));

function eventOf(fields: ts.Expression | undefined): string | undefined {
  if (!fields || !ts.isObjectLiteralExpression(fields)) return undefined;
  const event = fields.properties.find((property) => property.name?.getText() === 'event');
  if (!event || !ts.isPropertyAssignment(event) || !ts.isStringLiteral(event.initializer)) return undefined;
  return EVENT.test(event.initializer.text) ? event.initializer.text : undefined;
}

/** `log.warn`, or `log[…]` with an expression, or a name that its file declares. */
function levelsOf(called: ts.Expression): string[] {
  if (ts.isPropertyAccessExpression(called)) return [called.name.text];
  const { argumentExpression } = called as ts.ElementAccessExpression;
  const own = literalLevels(argumentExpression);
  return own.length > 0 ? own : declaredLevels(argumentExpression);
}

const literalLevels = (node: ts.Node): string[] =>
  nodesIn(node, ts.isStringLiteral)
    .map(({ text }) => text)
    .filter((text) => LEVEL.test(text));

function declaredLevels(expression: ts.Expression): string[] {
  const [name] = nodesIn(expression, ts.isIdentifier).map(({ text }) => text);
  return nodesIn(expression.getSourceFile(), (node) => ts.isVariableDeclaration(node) || ts.isParameter(node))
    .filter((declared) => declared.name.getText() === name)
    .flatMap(literalLevels);
}
