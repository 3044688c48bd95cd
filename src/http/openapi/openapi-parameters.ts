import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsIn, type ReferenceObject } from './openapi-operations';

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  required?: boolean;
}

/**
 * Moves parameters that several operations have in common (`limit`, `cursor`, `id`, …) into the
 * components of the document. Of several with one name, the most frequent one is moved.
 */
export function shareParameters(document: OpenAPIObject): void {
  const operations = operationsIn(document).map(({ operation }) => operation);
  const parametersOf = (operation: (typeof operations)[number]) => (operation.parameters ?? []) as ParameterObject[];
  const uses = new Map<string, number>();
  for (const parameter of operations.flatMap(parametersOf)) {
    if (!parameter.required) delete parameter.required; // the default
    const key = JSON.stringify(parameter);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  const shared: Record<string, ParameterObject> = {};
  for (const [key, count] of [...uses].sort(([, one], [, other]) => other - one)) {
    const parameter = JSON.parse(key) as ParameterObject;
    if (count > 1) shared[parameter.name] ??= parameter;
  }
  for (const operation of operations) {
    const parameters = parametersOf(operation).map((parameter): ParameterObject | ReferenceObject =>
      JSON.stringify(shared[parameter.name]) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${parameter.name}` }
        : parameter,
    );
    operation.parameters = parameters.length > 0 ? (parameters as typeof operation.parameters) : undefined;
  }
  Object.assign((document.components ??= {}), { parameters: shared });
}
