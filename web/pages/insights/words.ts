import { labelOf } from '../../../client/values/sentence.ts'
import { wordsOf } from '../../base/language.ts'

/** Names of error and state codes; in English the codes themselves are shown. */
const codes: Readonly<Record<string, string>> = {}

export const insightsWords = wordsOf('insights', {
  title: 'Insights',
  note: 'How your agents’ calls went. A call counts once, with all its attempts.',
  range: 'Range',
  days: (days: number) => `${days} days`,
  none: (days: number) => `No calls in the last ${days} days. Ask an agent to do something.`,
  notLoaded: 'Couldn’t load the figures. Try again in a minute.',

  calls: 'Calls',
  denied: 'Denied by you',
  firstTry: 'Right first time',
  recovered: 'Recovered after an error',
  median: 'Median time to success',
  modelCalls: 'Model calls per run',
  tokens: 'Tokens per run',
  askedAgain: 'Model asked again',
  goodAnswers: 'Good answers',
  badAnswers: 'Bad answers',

  drawn: (title: string) => `${title}: drawn from the table below.`,
  asTable: 'As a table',
  tableOf: (title: string) => `As a table: ${title}`,
  day: 'Day',
  callsByDay: 'Calls by day',
  done: 'Done',
  notDone: 'Not done',
  firstTryOrRecovered: 'Right first time, or recovered',
  successByAttempt: 'Success by attempt',
  attempt: 'Attempt',
  attemptNumber: (number: number) => `Attempt ${number}`,
  succeeded: 'Succeeded',
  notSucceeded: 'Didn’t succeed',
  timeToSuccess: 'Time to success',
  medianTime: 'Median',
  errorsByType: 'Errors by type and tool',
  error: 'Error',
  errors: 'Errors',
  rated: 'Answers you rated',
  good: 'Good',
  bad: 'Bad',

  codes,
})

/** The name of an error or state code. */
export function nameCode(code: string): string {
  return insightsWords().codes[code] ?? labelOf(code)
}
