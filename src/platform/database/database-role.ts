/** What PostgreSQL reports of the connected role. */
export interface DatabaseRole {
  readonly ownsTables: boolean;
  readonly bypasses: boolean;
}

/** One row of the type DatabaseRole. */
export const DATABASE_ROLE = `
  SELECT rolsuper OR rolbypassrls AS bypasses,
         rolsuper OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid
           AND c.relnamespace = current_schema()::regnamespace) AS "ownsTables"
    FROM pg_roles r WHERE r.rolname = current_user`;
