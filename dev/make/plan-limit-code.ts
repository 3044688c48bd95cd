import * as ts from 'typescript';
import { withImports } from './import-lists';
import { applyEdits, nodesIn, parse, removal, removalFromList, type TextEdit } from './text-edits';

/** Whether a sentence of a comment is about the plan's limit. */
export const isAboutLimit = (sentence: string): boolean => sentence.includes('PLAN_REQUIRED');

/** Whether a file of the example is only there because of the limit. */
export const isForLimit = (path: string): boolean => path.includes('/listeners/supply-use-of-');

/**
 * A source of the example without the limit of the plan: a transaction of the tenant in place of
 * the check, no count, no failure PLAN_REQUIRED.
 */
export function withoutPlanLimit(path: string, text: string): string {
  const source = parse(text);
  const edits = nodesIn(source, ts.isCallExpression).flatMap(withoutCheck);
  const members = nodesIn(source, ts.isMethodDeclaration).filter(
    (method) => method.name.getText() === 'count' && path.endsWith('.repository.ts'),
  );
  const all = [...edits, ...members.map(removal), ...parameters(source), ...failures(source), ...owners(source)];
  const changed = applyEdits(text, all);
  if (edits.length === 0) return changed;
  return withImports(path, changed, [{ name: 'UnitOfWork', file: 'src/platform/database/unit-of-work' }]);
}

/** `this.planLimits.within(actor, limit, work)`. */
function withoutCheck(call: ts.CallExpression): TextEdit[] {
  if (call.expression.getText() !== 'this.planLimits.within') return [];
  const [actor, , work] = call.arguments;
  return [
    { start: call.expression.getStart(), end: call.expression.getEnd(), text: 'this.unitOfWork.inTenant' },
    { start: actor.getEnd(), end: work.getFullStart(), text: ',' },
  ];
}

/** The injected check becomes the unit of work. */
const parameters = (source: ts.SourceFile): TextEdit[] =>
  nodesIn(source, ts.isParameter)
    .filter(({ type }) => type?.getText() === 'PlanLimitCheck')
    .map(({ name, type }) => ({ start: name.getStart(), end: type!.getEnd(), text: 'unitOfWork: UnitOfWork' }));

function failures(source: ts.SourceFile): TextEdit[] {
  const codes = nodesIn(source, ts.isLiteralTypeNode).filter(
    (node) => node.getText() === `'PLAN_REQUIRED'` && ts.isUnionTypeNode(node.parent),
  );
  const declared = nodesIn(source, ts.isArrayLiteralExpression).flatMap(({ elements, parent }) => {
    const failure = elements.find((element) => element.getText() === 'BillingFailures.planRequired');
    if (!failure) return [];
    const { properties } = parent.parent as ts.ObjectLiteralExpression;
    const described = properties.find((property) => property.name?.getText() === 'description');
    return [removalFromList(elements, failure), ...(described ? [removalFromList(properties, described)] : [])];
  });
  return [
    ...codes.map((code) => ({ start: code.getFullStart() - ' |'.length, end: code.getEnd(), text: '' })),
    ...declared,
  ];
}

/** The tests need no paying tenant. */
const owners = (source: ts.SourceFile): TextEdit[] =>
  nodesIn(source, ts.isCallExpression)
    .filter((call) => /^t\.actors\.owner\(\{ plan: '\w+' \}\)$/.test(call.getText()))
    .map(({ arguments: [plan] }) => ({ start: plan.getStart(), end: plan.getEnd(), text: '' }));
