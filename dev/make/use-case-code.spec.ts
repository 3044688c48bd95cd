import { methodIn, withCopiedClass, withMethod, withoutBody, withoutChanges, withTest } from './use-case-code';

const compact = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('The code of a use case', () => {
  it('is the change of the example without what is changed', () => {
    const source = `
      class A { constructor(readonly actor: Actor, readonly id: string, readonly changes: ProjectChanges) {} }
      class B { execute({ actor, id, changes }: A) { a(); project.change(changes); b(); } }`;
    expect(compact(withoutChanges(source))).toBe(
      'class A { constructor(readonly actor: Actor, readonly id: string) {} } ' +
        'class B { execute({ actor, id }: A) { a(); b(); } }',
    );
  });

  it('is a route without a body', () => {
    const controller = `class C {
      @Patch(':id')
      @Responds({ summary: 'a', description: 'b', data: D })
      change(@A() a: A, @Body() body: Body) { return this.commands.execute(new Change(a, body)); }
    }`;
    expect(compact(withoutBody(methodIn(controller, 'change')))).toBe(
      `@Patch(':id') @Responds({ summary: 'a', data: D }) change(@A() a: A) ` +
        '{ return this.commands.execute(new Change(a)); }',
    );
    expect(() => methodIn(controller, 'gone')).toThrow('The example has no method gone.');
  });

  it('is added before another method, or at the end', () => {
    expect(compact(withMethod('class A { b() {} }', 'a() {}', 'b'))).toBe('class A { a() {} b() {} }');
    expect(compact(withMethod('class A { b() {} }', 'c() {}'))).toBe('class A { b() {} c() {} }');
  });

  it('has a test at the end of the others', () =>
    expect(compact(withTest(`describe('a', () => { it('b', c); });`, `it('d', e);`))).toBe(
      `describe('a', () => { it('b', c); it('d', e); });`,
    ));

  it('has an event like another one', () =>
    expect(
      compact(
        withCopiedClass(`class Changed extends E { a = 'x.changed'; }`, 'Changed', [
          ['Changed', 'Sent'],
          ['changed', 'sent'],
        ]),
      ),
    ).toBe(`class Changed extends E { a = 'x.changed'; } class Sent extends E { a = 'x.sent'; }`));
});
