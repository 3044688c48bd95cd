/**
 * Every permission and what it allows (contract section 4). A role cannot hold any other, and a
 * route that requires any other does not compile.
 */
export const PERMISSIONS = {
  'tenant.settings.read': 'See the tenant and its settings',
  'tenant.settings.manage': 'Rename the tenant',
  'tenant.members.read': 'See who is in the tenant',
  'tenant.members.invite': 'Invite people, see and take back invitations',
  'tenant.members.manage': 'Give members another role, remove members',
  'tenant.roles.read': 'See roles and the permissions that there are',
  'tenant.roles.manage': 'Make, change and delete custom roles',
  'tenant.billing.read': 'See plan and subscription',
  'tenant.billing.manage': 'Subscribe, change the plan, manage payment',
  'tenant.audit.read': 'See what has happened in the tenant',
  'tenant.projects.read': 'See projects',
  'tenant.projects.manage': 'Make, change and delete projects',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];
