import type { Said } from '../../../../shared/engine/core/asked.ts'
import type { ToolErrorType } from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { pickShape } from '../../../../shared/engine/schema/resolve-schema.ts'
import { labelParameter } from '../../../../shared/engine/wording/parameter-label.ts'
import { toolValues } from '../../../../shared/engine/wording/question-values.ts'
import { inWords } from '../../../../shared/words/in-words.ts'
import { quotedValue } from '../../../../shared/words/quoted-value.ts'
import type { SentenceCode } from '../../../../shared/words/sentence-codes.ts'
import { inSentence } from '../../../../shared/words/sentences/questions.ts'
import type { Named } from './named-arguments.ts'

/** A refusal whose meaning is known. */
export interface Refused {
  type: ToolErrorType
  named: Named
  tool: ToolSpecification
  args: Record<string, unknown>
  /** Others refer to the row to delete. */
  isStillUsed: boolean
}

/** Said if the schema has no question of its own. */
const codes: Partial<Record<ToolErrorType, SentenceCode>> = {
  invalid_value: 'app_value_refused',
  not_found: 'app_nothing_found',
  conflict: 'app_already_there',
  permission_denied: 'app_not_permitted',
  timeout: 'app_function_late',
  unavailable: 'app_function_busy',
}

/** What the model and people are told of a refusal; `places` are in English, and `sent` with what was sent. */
export function sayRefused({ type, named, tool, args, isStillUsed }: Refused): Said {
  const code = isStillUsed ? 'app_still_used' : (codes[type] ?? 'app_function_failed')
  const places = inWords(named.parameters.map((name) => writeLabel(name, tool)))
  const sent = inWords(named.parameters.map((name) => `${writeLabel(name, tool)} ${quotedValue(args[name])}`))
  const [parameter] = named.parameters
  const values = {
    ...toolValues(tool),
    ...(parameter === undefined ? {} : { parameter, value: args[parameter] }),
    ...(places === '' ? {} : { places, sent }),
    rule: named.rule === '' ? undefined : named.rule,
    isWrite: tool.effect === 'write',
  }
  return { code, values }
}

function writeLabel(name: string, { parameters }: ToolSpecification): string {
  return inSentence(labelParameter([name], pickShape(parameters, parameters.properties?.[name] ?? {})))
}
