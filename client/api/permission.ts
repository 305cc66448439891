import type { Remember, Permission as StoredPermission } from './types.ts'

export type { NewPermission, Permission, Remember } from './types.ts'

/** What a standing permission says: to whom, and how often. */
export type PermissionTerms = Required<Remember>

/** What is needed for its sentence. */
export type PermissionWords = PermissionTerms & Pick<StoredPermission, 'path'> & { tool: string }
