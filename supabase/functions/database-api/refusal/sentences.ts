import type { ToolErrorType } from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { labelParameter } from '../../../../shared/engine/wording/parameter-label.ts'
import { pickShape } from '../../../../shared/engine/wording/question-for.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import { inWords } from '../../../../shared/words/in-words.ts'
import { inSentence } from '../../../../shared/words/sentences/questions.ts'
import type { Named } from './named-arguments.ts'

/** A refusal whose meaning is known. */
export interface Refused {
  type: ToolErrorType
  named: Named
  tool: ToolSpecification
  /** Others refer to the row to delete. */
  isStillUsed: boolean
}

type Wording = (facts: {
  title: string
  places: string
  rule: string
  unchanged: string
  isStillUsed: boolean
}) => string

/** Used if the schema has no question of its own. `unchanged` ends a sentence about a write. */
const wordings: Partial<Record<ToolErrorType, Wording>> = {
  invalid_value: ({ places, rule }) =>
    `Question: There seems to be an issue with ${places}.${rule && ` This app has a rule for it, called "${rule}".`} Please check it and provide another value.`,
  not_found: ({ places }) =>
    `Question: Which one do you mean? There is none with ${places || 'what was asked for'}. Please use a tool that lists or searches to find it.`,
  conflict: ({ places, rule, unchanged, isStillUsed }) => {
    if (isStillUsed)
      return `Question: What should be done instead? It is still used elsewhere in this app${unchanged}.`
    const reason = rule === '' ? '' : ` The rule is called "${rule}".`
    return `Question: What should be used instead? There is already one with the same ${places || 'values'}${unchanged}.${reason}`
  },
  permission_denied: ({ unchanged }) =>
    `Question: What should be done instead? This account may not do that in this app${unchanged}.`,
  timeout: ({ title, unchanged }) =>
    `"${title}" took longer than the database of this app allows${unchanged}.`,
  unavailable: ({ title, unchanged }) =>
    `"${title}" could not be completed right now, because the database of this app was busy${unchanged}.`,
}

export function writeSentence({ type, named, tool, isStillUsed }: Refused): string {
  const title = titleOf(tool)
  const unchanged = tool.effect === 'write' ? ', so nothing was changed' : ''
  const wording = wordings[type]
  if (!wording)
    return `"${title}" failed inside this app${unchanged}. Whoever runs the app can see why in its log.`
  const labels = named.parameters.map((name) => writeLabel(name, tool))
  const text = wording({ title, places: inWords(labels), rule: named.rule, unchanged, isStillUsed })
  return text.replace('the same the ', 'the same ')
}

function writeLabel(name: string, { parameters }: ToolSpecification): string {
  return inSentence(labelParameter([name], pickShape(parameters, parameters.properties?.[name] ?? {})))
}
