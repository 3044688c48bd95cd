import { fieldsOfExample, withColumns, withFields } from './field-lists';
import { readFields } from './make-fields';

const FIELDS = readFields(['title:text', 'amount:integer?', 'done:flag']);
const OLD = ['name', 'archived'];
const compact = (text: string) => text.replace(/\s+/g, ' ').trim();
const changed = (text: string) => compact(withFields(text, OLD, FIELDS));

describe('The fields of the example', () => {
  it('are those that can be changed', () =>
    expect(fieldsOfExample('interface ProjectChanges { readonly name?: string; archived?: boolean }')).toEqual(OLD));

  it.each([
    [
      'a list of names',
      `const a = ['id', 'name', 'archived', 'at'];`,
      `const a = ['id', 'title', 'amount', 'done', 'at'];`,
    ],
    [
      'a copy',
      `const f = ({ id, name, archived }) => ({ id, name, archived });`,
      `const f = ({ id, title, amount, done }) => ({ id, title, amount, done });`,
    ],
    [
      'assignments',
      `function f() { this.name = name; this.archived = archived; }`,
      `function f() { this.title = title; this.amount = amount; this.done = done; }`,
    ],
    [
      'defaults',
      `function f({ name = this.name, archived = this.archived }) {}`,
      `function f({ title = this.title, amount = this.amount, done = this.done }) {}`,
    ],
    ['new values', `const a = { id: 1, name, archived: false, at };`, `const a = { id: 1, title, amount, done, at };`],
    [
      'parameters of a new row',
      `class A { static create(a: B, { name }: C) {} }`,
      `class A { static create(a: B, { title, amount = null, done = false }: C) {} }`,
    ],
    [
      'a selection',
      `const a = { id: true, name: true, archived: true };`,
      `const a = { id: true, title: true, amount: true, done: true };`,
    ],
    ['options that have a name', `const a = { name: 'projects_pkey' };`, `const a = { name: 'projects_pkey' };`],
    [
      'what is needed',
      `interface NewProject { readonly name: string; }`,
      `interface NewProject { readonly title: string; readonly amount?: number | null; readonly done?: boolean; }`,
    ],
    [
      'what can be changed',
      `interface ProjectChanges { readonly name?: string; readonly archived?: boolean; }`,
      `interface ProjectChanges { readonly title?: string; readonly amount?: number | null; readonly done?: boolean; }`,
    ],
    [
      'columns of the entity',
      `@Entity('a') class A { @Column('text') name!: string; }`,
      `@Entity('a') class A { @Column('text') title!: string; ` +
        `@Column('integer', { nullable: true }) amount!: number | null; @Column('boolean') done!: boolean; }`,
    ],
    [
      'a body',
      `class ChangeProjectBody { @A() name?: string; }`,
      `class ChangeProjectBody { @OptionalTextField(1, 200, 'Example') title?: string; ` +
        `@NullableField(IntegerField()) amount?: number | null; @OptionalFlag() done?: boolean; }`,
    ],
  ])('are others in %s', (_what, before, after) => expect(changed(before)).toBe(after));

  it('are refused in a class that the generator does not know', () =>
    expect(() => changed('class Mystery { name!: string; }')).toThrow('lists its fields in Mystery'));

  it('are other columns in a migration', () =>
    expect(
      withColumns('  a uuid,\n  name text NOT NULL,\n  archived boolean NOT NULL,\n  b uuid,\n', OLD, FIELDS),
    ).toBe('  a uuid,\n  title text NOT NULL,\n  amount integer,\n  done boolean NOT NULL,\n  b uuid,\n'));
});
