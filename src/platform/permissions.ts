/**
 * Every permission and what it allows (docs/contract.md, Permissions). A role cannot hold any
 * other, and a route that requires any other does not compile.
 */
export const PERMISSIONS = {
  'tenant.settings.read': 'View tenant settings',
  'tenant.settings.manage': 'Rename the tenant',
  'tenant.security.manage': 'Set the sign-in policy, see who has a second factor',
  'tenant.keys.manage': 'Manage service accounts and API keys',
  'tenant.members.read': 'View members',
  'tenant.members.invite': 'Invite people, view and revoke invitations',
  'tenant.members.manage': 'Change roles and remove members',
  'tenant.roles.read': 'View roles and permissions',
  'tenant.roles.manage': 'Create, edit and delete custom roles',
  'tenant.billing.read': 'View plan and subscription',
  'tenant.billing.manage': 'Manage plan and payment',
  'tenant.audit.read': 'View audit log',
  'tenant.audit.stream': 'Stream the audit log to a receiver',
  'tenant.webhooks.manage': 'Manage webhooks and see what they sent',
  'tenant.projects.read': 'View projects',
  'tenant.projects.manage': 'Create, edit and delete projects',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];
