import { type FindRecord, fillTemplate, isTelling, showInShort } from '../../words/fill-template.ts'
import { plainLine } from '../../words/quoted-value.ts'
import { clipText } from '../core/clip-text.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { nameShort } from './parameter-label.ts'
import { titleOf } from './tool-title.ts'

type Arguments = Record<string, unknown>

/** Values that are named if the tool has no sentence of its own. */
const mostValues = 3
/** Characters on a button. */
const longestButton = 40
/** Placeholders that show a value itself, or the number of values. */
const wholeValue = /\{([^{}:#=~]+)(?:~[^{}]*)?\}/g
/** Parts of a template that are left out if something in them is unknown. */
const optional = /\[(?:[^[\]{}]|\{[^{}]*\})+\]/g

/**
 * The question for approval, without `Question:`. The tool's own sentence (`confirm`) with the call's values,
 * else its title and the most telling values. `sourced` are the paths that must come from the user: those missing from
 * the sentence are added, because a person must see whom something goes to. `find`: what the conversation
 * says about ids.
 *
 * @example
 * const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
 * approvalQuestion(send, { to: ['ada@example.com'], bcc: ['eve@example.com'], subject: 'Hi' }, ['to', 'bcc'])
 * // => 'Send "Hi" to "ada@example.com"? (bcc: "eve@example.com")'
 * approvalQuestion({ name: 'delete_note' }, { id: 7 }, []) // => 'Delete note (id: 7)?'
 */
export function approvalQuestion(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'confirm'> & { parameters?: JsonSchema | undefined },
  args: Arguments,
  sourced: readonly string[],
  find?: FindRecord,
): string {
  const { confirm, parameters } = tool
  if (confirm === undefined) {
    const told = [...new Set([...sourced, ...Object.keys(args)])].filter((name) => isTelling(args[name]))
    return `${titleOf(tool)}${listValues(told.slice(0, Math.max(mostValues, sourced.length)), args, parameters)}?`
  }
  return (
    fillTemplate(confirm, { args, ...(find ? { find } : {}) }) +
    listValues(leftOut(confirm, args, sourced), args, parameters)
  )
}

/** The parameters that a person must see but that the tool's sentence may not show. */
export function leftOut(confirm: string, args: Arguments, sourced: readonly string[]): string[] {
  const surelyTold = [...confirm.replace(optional, '').matchAll(wholeValue)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return sourced.filter((name) => !surelyTold.includes(name) && isTelling(args[name]))
}

/**
 * The verb on the approval button; undefined if the tool has none.
 *
 * @example
 * approvalButton({ button: 'Delete {ids#email|emails}' }, { ids: ['a'] }) // => 'Delete 1 email'
 */
export function approvalButton(
  { button }: Pick<ToolSpecification, 'button'>,
  args: Arguments,
): string | undefined {
  return button === undefined ? undefined : clipText(fillTemplate(button, { args }), longestButton)
}

function listValues(names: readonly string[], args: Arguments, parameters: JsonSchema = {}): string {
  if (names.length === 0) return ''
  const told = names.map((name) => `${plainLine(nameShort(name, parameters))}: ${showInShort(args[name])}`)
  return ` (${told.join(', ')})`
}
