/** The demo accounts of local mode. All have the same password. */
export const DEMO_PASSWORD = 'demo-tenantry-1';
export const DEMO_USERS = [
  { email: 'admin@example.com', name: 'Alma Admin', role: 'global admin, Owner of "Alma\'s workspace"' },
  { email: 'owner@example.com', name: 'Olga Owner', role: 'Owner of "Acme"' },
  { email: 'member@example.com', name: 'Mia Member', role: 'Member of "Acme"' },
];
