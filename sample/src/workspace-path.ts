import { useClaims } from './session';

/** The address of a page in a workspace, such as /w/0198…/members. */
export const workspacePath = (tenantId: string, page = ''): string => `/w/${tenantId}${page}`;

/** The id of the workspace in an address of this client; undefined if it names none. */
export const workspaceIn = (pathname: string): string | undefined => /^\/w\/([^/]+)/.exec(pathname)?.[1];

/**
 * @returns a function that adds the open workspace to the path of a page, such as /members. Without
 * a workspace the path stays as it is
 */
export function useWorkspacePath(): (page: string) => string {
  const tenantId = useClaims()?.tenant_id;
  return (page) => (tenantId ? workspacePath(tenantId, page) : page);
}
