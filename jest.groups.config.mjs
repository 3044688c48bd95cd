// `npm test`: the suites of jest.config.js, with the files that start the service in groups.
import service from './jest.config.js';
import { writeGroups } from './dev/test-groups.mjs';

const GROUPED = { e2e: /\.e2e-spec\.ts$/, client: /\.spec\.ts$/ };

const grouped = (project) => {
  const pattern = GROUPED[project.displayName];
  if (!pattern) return project;
  return { ...project, testMatch: [`${writeGroups(project.displayName, pattern)}/*.group.js`] };
};

export default {
  ...service,
  projects: service.projects.map(grouped),
  testSequencer: '<rootDir>/dev/test-sequencer.mjs',
  reporters: ['default', '<rootDir>/dev/test-seconds.mjs'],
};
