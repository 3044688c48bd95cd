import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray } from 'class-validator';
import { EachItem } from '../../http/validation/each-item.decorator';
import { field } from '../../http/validation/typed-decorators';
import { publicEvents } from '../../platform/public-events';

const MOST_TYPES = 100;

let known: ReadonlySet<unknown> | undefined;

/** The catalogue, which is complete only after all modules are loaded. */
const isKnown = (type: unknown): boolean => (known ??= new Set(publicEvents().map((event) => event.type))).has(type);

/** At least one type of the catalogue of public events. */
export const EventTypesField = () =>
  field<string[]>(
    ArrayMaxSize(MOST_TYPES, { message: `must contain at most ${MOST_TYPES} types` }),
    ArrayNotEmpty({ message: 'must contain at least one type' }),
    EachItem(isKnown, 'must be a type listed by GET /webhook-event-types'),
    IsArray({ message: 'must be a list' }),
    ApiProperty({
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: MOST_TYPES,
      example: ['project.created'],
    }),
  );
