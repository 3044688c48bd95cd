import type { Permission } from '../session';

/** What a permission allows, where the description of the API is for developers. */
export const PERMISSION_LABELS: Partial<Record<Permission, string>> = {
  'tenant.settings.read': 'View workspace settings',
  'tenant.settings.manage': 'Rename the workspace',
  'tenant.security.manage': 'Set the sign-in policy, see who has a second factor',
  'tenant.keys.manage': 'Manage service accounts and API keys',
  'tenant.members.read': 'View members',
  'tenant.members.invite': 'Invite people, view and revoke invitations',
  'tenant.members.manage': 'Change roles and remove members',
  'tenant.roles.read': 'View roles and permissions',
  'tenant.roles.manage': 'Create, edit and delete roles',
  'tenant.billing.read': 'View plan and subscription',
  'tenant.billing.manage': 'Choose and change the plan, manage payment',
  'tenant.audit.read': 'View the audit log',
  'tenant.audit.stream': 'Send the audit log to systems outside the service',
  'tenant.webhooks.manage': 'Manage webhooks and see what they sent',
  'tenant.projects.read': 'View projects',
  'tenant.projects.manage': 'Create, edit and delete projects',
};
