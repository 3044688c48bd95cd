import { getMetadataStorage, IsInt, IsString, validate } from 'class-validator';
import { keepRulesOfClasses } from './rules-of-classes';

class Named {
  @IsString() name!: unknown;
}

class Counted extends Named {
  @IsInt() @IsInt({ groups: ['strict'] }) count!: unknown;
}

const wrongIn = async (object: object) => (await validate(object)).map(({ property }) => property);
const rulesOf = (target: typeof Named, groups?: string[]) =>
  getMetadataStorage().getTargetValidationMetadatas(target, '', false, false, groups);

describe('the rules of a class', () => {
  beforeEach(() => keepRulesOfClasses());
  afterEach(() => Reflect.deleteProperty(getMetadataStorage(), 'getTargetValidationMetadatas'));

  it('apply to each object, with those of the class that it extends', async () => {
    const [right, wrong] = [new Counted(), new Counted()];
    Object.assign(right, { name: 'first', count: 1 });
    Object.assign(wrong, { name: 2, count: 'second' });
    expect(await wrongIn(right)).toEqual([]);
    expect(await wrongIn(wrong)).toEqual(['count', 'name']);
    expect(await wrongIn(Object.assign(new Named(), { name: 3 }))).toEqual(['name']);
  });

  it('are collected once for each class', () => {
    expect(rulesOf(Counted)).toBe(rulesOf(Counted));
    expect(rulesOf(Named)).not.toBe(rulesOf(Counted));
  });

  it('are collected again for a group, and when it is called a second time they stay', () => {
    const all = rulesOf(Counted);
    expect(rulesOf(Counted, ['strict'])).toHaveLength(1);
    keepRulesOfClasses();
    expect(rulesOf(Counted)).toBe(all);
  });
});
