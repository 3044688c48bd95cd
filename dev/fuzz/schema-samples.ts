import type { OpenAPIObject } from '@nestjs/swagger';
import { resolve, type Schema, type Schemas } from '../api-document-model';
import type { FuzzRandom } from './fuzz-random';

/**
 * Generates valid values of a schema. Known values, such as ids and tokens, are used by field name.
 */
export class SchemaSamples {
  constructor(
    private readonly document: OpenAPIObject,
    private readonly random: FuzzRandom,
  ) {}

  /**
   * Generates a value.
   * @param known values by field name, which are used instead of generated ones
   */
  value(schema: Schema, known: Readonly<Record<string, unknown>>, name = ''): unknown {
    if (name in known) return known[name];
    const {
      type,
      enum: allowed,
      anyOf,
      properties,
      items,
      format,
    } = resolve(this.document.components!.schemas as Schemas, schema);
    if (allowed) return this.random.pick(allowed);
    if (anyOf) return this.value(this.random.pick(anyOf), known);
    const one = typeof type === 'string' ? type : this.random.pick(type ?? ['object']);
    if (one === 'object') return this.object(properties ?? {}, known);
    if (one === 'array') return Array.from({ length: 1 + this.random.below(2) }, () => this.value(items ?? {}, known));
    if (one === 'boolean') return this.random.happens(0.5);
    if (one === 'integer' || one === 'number') return this.number(schema);
    return one === 'null' ? null : this.text(format, name);
  }

  private object(properties: Readonly<Record<string, Schema>>, known: Readonly<Record<string, unknown>>): object {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.value(schema, known, name)]),
    );
  }

  private number({ minimum = 0, maximum = 100 }: Schema): number {
    return minimum + this.random.below(maximum - minimum + 1);
  }

  private text(format: string | undefined, name: string): string {
    if (format === 'uuid') return this.random.uuid();
    if (format === 'email' || name === 'email') return `fuzz${this.random.below(1_000_000)}@example.com`;
    if (format === 'date-time') return new Date(this.random.below(2_000_000_000) * 1000).toISOString();
    return name.toLowerCase().includes('password') ? 'a long enough phrase' : `fuzz ${this.random.below(1_000_000)}`;
  }
}
