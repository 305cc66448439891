import { parsePath } from '../core/json-path.ts'
import { withoutMark } from '../core/question-mark.ts'
import { questionFor } from './question-for.ts'

/** What to ask for a parameter that an error names without a schema: mail, search, pages, documents. */
const questions: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:to|recipients?|to_?emails?|personalizations\[\d+\]\.to)$/i,
    'Who should I send this email to? Please provide the recipient email address.',
  ],
  [
    /^(?:from|sender|from_?email)$/i,
    'Which address should this email come from? Please provide the sender email address.',
  ],
  [/^subject$/i, 'What should the subject of this email be? Please provide a subject.'],
  [/^(?:body|text|html|message)$/i, 'What should this message say? Please provide its text.'],
  [/^(?:q|query|search_?query|search_?term)$/i, 'What should I search for? Please provide a search query.'],
  [/^urls?$/i, 'Which page should I use? Please provide its URL.'],
  [/^(?:content|document_?content)$/i, 'What should the document say? Please provide its content.'],
  [/^title$/i, 'What should the title be? Please provide a title.'],
]

/** The question for a missing parameter, without `Question:`. */
export function questionForName(parameter: string | undefined): string {
  if (!parameter) return 'Which value is missing? Please provide every required value.'
  const known = questions.find(([name]) => name.test(parameter))
  if (known) return known[1]
  const path = parsePath(parameter) ?? [parameter]
  return withoutMark(
    questionFor({ path, kind: 'missing', keyword: 'required', place: {}, value: undefined }, {}),
  )
}
