import type { ToolDescription } from '../../../client/api/message.ts'

/** An agent's permission for a tool. `sometimes`: the tool itself asks, depending on the values. */
export type Permission = 'allowed' | 'ask' | 'sometimes' | 'off'

export interface PermissionRow {
  tool_name: string
  allowed: boolean
  approval: 'always' | 'never' | null
}

const byDefault: Record<ToolDescription['approval'], Permission> = {
  always: 'ask',
  sometimes: 'sometimes',
  never: 'allowed',
}

/** The server's rule: a row wins over the tool's default; without a row, an agent has all tools or none. */
export function readPermission(
  row: PermissionRow | undefined,
  { approval, alwaysAsks }: Pick<ToolDescription, 'approval' | 'alwaysAsks'>,
  access: 'all' | 'listed',
): Permission {
  if (row === undefined) return access === 'all' ? byDefault[approval] : 'off'
  if (!row.allowed) return 'off'
  if (row.approval === null) return byDefault[approval]
  return row.approval === 'always' || alwaysAsks ? 'ask' : 'allowed'
}

/** What can be chosen for a tool that has a permission now. */
export function choicesFor(
  { approval, alwaysAsks }: Pick<ToolDescription, 'approval' | 'alwaysAsks'>,
  now: Permission,
): Permission[] {
  return (['allowed', 'ask', 'sometimes', 'off'] as const).filter((one) => {
    if (one === 'allowed' && alwaysAsks) return false
    return one !== 'sometimes' || approval === 'sometimes' || one === now
  })
}

/** The stored form of a permission. */
export function writePermission(permission: Permission): Omit<PermissionRow, 'tool_name'> {
  switch (permission) {
    case 'off':
      return { allowed: false, approval: null }
    case 'ask':
      return { allowed: true, approval: 'always' }
    case 'sometimes':
      return { allowed: true, approval: null }
    case 'allowed':
      return { allowed: true, approval: 'never' }
  }
}
