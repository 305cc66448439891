import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Run } from '../run/run.ts'

/** The account that a mail is sent from: the one the call names, the tool's, or the only one. Undefined if it will ask. */
export function senderAccount(
  { user, senders }: Pick<Run, 'user' | 'senders'>,
  { name, parameters }: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  { from }: Record<string, unknown>,
): string | undefined {
  if (parameters?.properties?.from === undefined) return undefined
  if (typeof from === 'string' && from !== '') return from
  if (Object.hasOwn(senders, name)) return senders[name]
  const { accounts = [] } = user ?? {}
  return accounts.length === 1 ? accounts[0] : undefined
}
