import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { withoutMark } from '../../../../shared/engine/core/question-mark.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { PendingItem } from '../answer/open-item.ts'
import { previewApproval } from '../openai/approval-preview.ts'
import type { Decision } from '../turn/decision.ts'
import { fillForm, flatForm, readFlatForm } from './flat-form.ts'

/** The form in which a program asks its user about an item. */
interface ItemForm {
  schema: Record<string, unknown>
  /** What is asked, with all values of the call, if yes or no is asked for too; else the question alone says it. */
  message?: string
}

/** What may be asked in forms of a program. */
export interface FormRules {
  /** Its user lets it show approvals itself. */
  forms: boolean
  /** The agent's model has called it: for a message, which it may have read anywhere. */
  isMessage: boolean
  tools: readonly ToolSpecification[]
}

/** The field with the yes or no. */
const yes = 'approve'
/** Why a yes in a program's form is enough: it is about this one call, and nothing that was read has asked for it. */
const reasons: readonly unknown[] = ['consent', 'provenance', 'repetition']
/** Characters of values that a form shows: nobody approves what they can't see. */
const longestValues = 4000

/**
 * The form of an item for a program; undefined if it is asked elsewhere: nested values, and all approvals that the program
 * may not show. Values alone approve nothing: where they need approval, that is asked for next. `filled`: what it begins with.
 */
export function formOf(
  item: PendingItem,
  rules: FormRules,
  language: Language,
  filled: Record<string, unknown> = {},
): ItemForm | undefined {
  const { type, schema, question, confirm = '', button, title } = item
  const fields = type === 'input' && schema && mayFillIn(item, rules) ? flatForm(schema) : undefined
  if (type === 'input' && !fields) return undefined
  if (!asksForYes(item, rules)) {
    return fields && schema ? { schema: fillForm(fields, schema, filled) } : undefined
  }
  const asked = withoutMark(question)
  const form = fields && schema ? fillForm(fields, schema, filled) : { properties: {}, required: [] }
  return {
    // Nobody has said yes before: it has no default.
    schema: {
      type: 'object',
      properties: { ...(form.properties as object), [yes]: { type: 'boolean', title: button ?? title } },
      required: [...(form.required as string[]), yes],
    },
    message: [
      asked,
      // A form says beside its question what will be done.
      asked.includes(confirm) ? '' : confirm,
      previewApproval(item, language, longestValues),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  }
}

/** What its user has decided in such a form; undefined if that says nothing about the item. */
export function decisionIn(
  item: PendingItem,
  rules: FormRules,
  content: Record<string, unknown>,
): Omit<Decision, 'by'> | undefined {
  const { itemId, toolCallId, type, schema } = item
  if (!asksForYes(item, rules)) {
    const isAsked = type === 'input' && schema && mayFillIn(item, rules)
    return isAsked ? { type, itemId, values: readFlatForm(schema, content) } : undefined
  }
  const { [yes]: isYes, ...given } = content
  if (typeof isYes !== 'boolean') return undefined
  const values = isYes && schema ? { values: readFlatForm(schema, given) } : {}
  return { type: 'approval', itemId, toolCallId, decision: isYes ? 'approve' : 'deny', ...values }
}

/** What a server asks may be whether it should go on: that takes a program whose user lets it show approvals. */
function mayFillIn({ server }: PendingItem, { forms, isMessage }: FormRules): boolean {
  return server === undefined || (forms && !isMessage)
}

function asksForYes(item: PendingItem, { forms, isMessage, tools }: FormRules): boolean {
  const { approvalId, reason, approvers, toolName, values = {}, schema } = item
  if (!forms || isMessage || approvalId === undefined || approvers || !reasons.includes(reason)) return false
  const tool = tools.find(({ name }) => name === toolName)
  // Nobody knows what a tool does that its agent no longer has.
  if (!tool || tool.destructive !== undefined) return false
  return !hasField(schema, yes) && JSON.stringify(values).length <= longestValues
}

function hasField(schema: JsonSchema | undefined, name: string): boolean {
  return Object.hasOwn(schema?.properties ?? {}, name)
}
