import { parsePath, valueAt } from '../core/json-path.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { plainLine, quotedValue } from './quoted-value.ts'
import { titleOf } from './tool-title.ts'

type Arguments = Record<string, unknown>

/** Values named where the tool has no sentence of its own. */
const mostValues = 3

/**
 * What a person is asked to approve, without `Question:`. The tool's own sentence (`confirm`) with the values of the
 * call, else its title and the most telling values. `sourced` are the paths that must come from the user: those that
 * the sentence leaves out are added, because a person must see whom something goes to.
 *
 * @example
 * const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
 * approvalQuestion(send, { to: ['ada@example.com'], bcc: ['eve@example.com'], subject: 'Hi' }, ['to', 'bcc'])
 * // => 'Send "Hi" to "ada@example.com"? (bcc: "eve@example.com")'
 * approvalQuestion({ name: 'delete_note' }, { id: 7 }, []) // => 'Delete note (id: 7)?'
 */
export function approvalQuestion(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'confirm'>,
  args: Arguments,
  sourced: readonly string[],
): string {
  const { confirm } = tool
  if (confirm === undefined) {
    const told = [...new Set([...sourced, ...Object.keys(args)])].filter((name) => isTelling(args[name]))
    return `${titleOf(tool)}${listValues(told.slice(0, Math.max(mostValues, sourced.length)), args)}?`
  }
  const left = sourced.filter((name) => !confirm.includes(`{${name}}`) && isTelling(args[name]))
  return fillIn(confirm, args) + listValues(left, args)
}

/** `"{subject}"` and `{subject}` alike become the value in quotes; a path that is not in the call becomes a dash. */
function fillIn(template: string, args: Arguments): string {
  return template.replace(/"?\{([^{}"]{1,100})\}"?/g, (_, path: string) =>
    showValue(valueAt(args, parsePath(path) ?? [])),
  )
}

function listValues(names: readonly string[], args: Arguments): string {
  if (names.length === 0) return ''
  return ` (${names.map((name) => `${plainLine(name.replaceAll('_', ' '))}: ${showValue(args[name])}`).join(', ')})`
}

function isTelling(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

function showValue(value: unknown): string {
  if (!isTelling(value)) return '–'
  return Array.isArray(value) ? value.map(showValue).join(', ') : quotedValue(value)
}
