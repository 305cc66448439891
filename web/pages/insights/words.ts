import { labelOf } from '../../../client/sentence.ts'
import { wordsOf } from '../../language.ts'

/** Codes of errors and states, as they are called; in English as they are spelled. */
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
  retries: 'Model retries',
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
  notSucceeded: 'Did not succeed',
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

/** An error or a state by its code. */
export function nameCode(code: string): string {
  return insightsWords().codes[code] ?? labelOf(code)
}
