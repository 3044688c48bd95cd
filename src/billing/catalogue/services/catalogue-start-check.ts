import { Injectable, type OnModuleInit } from '@nestjs/common';
import { mistakesIn } from '../domain/catalogue-check';
import { PLAN_CATALOGUE } from '../domain/plan-catalogue';

/** Refuses the start if the catalogue of plans contradicts itself. */
@Injectable()
export class CatalogueStartCheck implements OnModuleInit {
  /** @throws with one line for each mistake */
  onModuleInit(): void {
    const mistakes = mistakesIn(PLAN_CATALOGUE);
    if (mistakes.length > 0)
      throw new Error(`The catalogue of plans is invalid:\n${mistakes.map((one) => `  - ${one}`).join('\n')}`);
  }
}
