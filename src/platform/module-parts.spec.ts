import { join } from 'node:path';
import { moduleParts } from './module-parts';

const namesIn = (module: string) => {
  const parts = moduleParts(join(__dirname, '..', module));
  const names = (classes: readonly unknown[]) => classes.map((one) => (one as { name: string }).name);
  return { controllers: names(parts.controllers), providers: names(parts.providers), exports: names(parts.exports) };
};

describe('The parts of a module', () => {
  it('are its marked classes, in the order of their files', () =>
    expect(namesIn('projects')).toEqual({
      controllers: ['ProjectsController'],
      providers: [
        'ChangeProjectHandler',
        'CreateProjectHandler',
        'DeleteProjectHandler',
        'ProjectRepository',
        'SupplyUseOfProjects',
        'GetProjectHandler',
        'ListProjectsHandler',
      ],
      exports: [],
    }));

  it('include those of its areas', () =>
    expect(namesIn('billing')).toMatchObject({
      controllers: expect.arrayContaining(['BillingController', 'PlanChangesController', 'WebhooksController']),
      providers: expect.arrayContaining(['StartCheckoutHandler', 'StripeClient', 'PlanGuard']),
    }));

  it('are exported if its API exports them', () =>
    expect(namesIn('users').exports).toEqual([
      'LinkedProviderRepository',
      'RegistrationRepository',
      'UserRepository',
      'PasswordHasher',
      'AdminCheck',
    ]));

  it('leave out classes that are constructed by a factory', () =>
    expect(namesIn('auth').providers).not.toContain('GoogleStrategy'));
});
