import type { ToolError } from '../../shared/engine/core/tool-error.ts'
import { formatToolError } from '../../shared/engine/wording/format-tool-error.ts'
import { askedOf } from '../../shared/engine/wording/question-for-people.ts'
import { errorOf, type ProviderFailure } from '../corpora/api-errors.ts'
import { type FaultCase, prepareCase } from '../corpora/fault-case.ts'
import { readCases } from '../corpora/measurement.ts'
import { inEachLanguage } from './languages.ts'
import type { Sentence } from './sentence.ts'

const maxAttempts = 3

/** What is said about the calls and failures of the labelled corpora in a folder. */
export async function sentencesOfCorpora(dir: string): Promise<Sentence[]> {
  const faults = await readCases<FaultCase>(dir, 'faults')
  const failures = await readCases<ProviderFailure>(dir, 'api-errors')
  return [
    ...faults.flatMap((one) => {
      const { prepared } = prepareCase(one)
      return prepared.ok
        ? []
        : aboutError(prepared.error, prepared.tool ?? one.call_name, `faults: ${one.id}`)
    }),
    ...failures.flatMap((one) => aboutError(errorOf(one), 'the_tool', `api errors: ${one.id}`)),
  ]
}

/** What the model reads after each attempt, and what people are told. */
function aboutError(
  error: ToolError,
  tool: Parameters<typeof formatToolError>[1]['tool'],
  from: string,
): Sentence[] {
  const attempts = Array.from({ length: maxAttempts }, (_, index): Sentence => {
    const history = Array.from({ length: index }, () => error)
    const told = formatToolError(error, { attempt: index + 1, maxAttempts, tool, history })
    return { from, to: 'model', language: 'en', as: `attempt ${index + 1}`, sentence: told }
  })
  return [...attempts, ...inEachLanguage(askedOf(error), from)]
}
