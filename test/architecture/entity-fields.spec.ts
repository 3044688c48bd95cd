import { typedFindings } from '../support/typed-checks';

/** ESLint reads it in place of a command of the projects module. */
const SAMPLE = `
import { Project } from '../domain/project';
import { Subscription } from '../../billing/subscriptions/domain/subscription';

export function change(it: Project, found: Project[], maybe: Project | undefined, row: Project & { owner: string }) {
  it.name = 'a'; // refused
  found[0].archived = true; // refused
  if (maybe) maybe.name = 'b'; // refused
  row.name = 'c'; // refused
  row.owner = 'd'; // refused
  for (it.name of ['e']); // refused
  [it.name] = ['f']; // refused
  ({ name: it.name, ...it.createdAt } = { name: 'g' }); // refused
  Object.assign(it, { name: 'h' }); // refused
  const { name } = it;
  const view = { name, archived: it.archived };
  view.name = 'i';
  it.change({ name: 'j' });
  return [view, Object.assign(new Project(), view)];
}

export class Handler {
  private last?: Subscription;
  keep(it: Subscription) {
    this.last = it;
    this.last.cancelAtPeriodEnd = true; // refused
    it.plan = 'Pro'; // refused
  }
}
`;

const FILE = 'src/projects/commands/change-project.ts';

/** The lines of the sample that the rule reports. */
function reportedLines(): string[] {
  const found = typedFindings({ lint: [FILE], texts: { [FILE]: SAMPLE } });
  const lines = found.filter(({ rule }) => rule === 'tenantry/entity-fields').map(({ line }) => line);
  return [...new Set(lines)].map((line) => SAMPLE.split('\n')[line - 1]);
}

describe('a field of an entity', () => {
  it('is not assigned outside its class, whatever the variable is called', () => {
    const refused = SAMPLE.split('\n').filter((line) => line.endsWith('// refused'));
    expect(refused).toHaveLength(11);
    expect(reportedLines()).toEqual(refused);
  }, 60_000);
});
