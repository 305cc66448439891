import { showNumber } from '../../../../client/locale.ts'
import { labelOf } from '../../../../client/sentence.ts'
import type { Moment } from './operator-calls.ts'

export interface Described {
  what: string
  /** What is known besides. */
  more: string[]
  tone?: 'done' | 'problem'
}

/** A moment in words. Only codes come with it: whatever a kind of entry does not say here is not known. */
export function describeMoment({ type, facts }: Moment, titleOf: (tool: string) => string): Described {
  const text = (name: string) => (facts[name] === undefined ? '' : String(facts[name]))
  const list = (name: string) => (Array.isArray(facts[name]) ? (facts[name] as string[]) : [])
  const title = titleOf(text('tool'))
  switch (type) {
    case 'user-message':
      return {
        what: 'The user wrote',
        more: known(count(text('characters'), 'character'), count(text('files'), 'file')),
      }
    case 'run-start':
      return { what: 'The run began', more: [] }
    case 'model-text':
      return { what: 'The model wrote', more: [count(text('characters'), 'character')] }
    case 'step-end':
      return {
        what: `${text('model')} had answered`,
        more: known(text('provider'), count(text('tokens'), 'token')),
      }
    case 'tool-model-call':
      return { what: `A tool asked ${text('model')}`, more: known(text('provider')) }
    case 'call':
      return {
        what: `${title}, attempt ${text('attempt')}`,
        more: known(
          facts.prepared === false && 'not fit to be run',
          facts.repeated === true && 'the same as before',
          facts.decided === true && 'goes on after a decision',
          ...list('repairs').map((repair) => `repaired ${repair}`),
        ),
      }
    case 'result':
      return describeResult(text)
    case 'unreported':
      return {
        what: `${title}, attempt ${text('attempt')}: not reported back`,
        more: known(labelOf(text('status')), text('error') && labelOf(text('error'))),
        tone: 'problem',
      }
    case 'wait':
      return { what: 'Waited for the provider', more: [] }
    case 'question': {
      const asked = {
        input: 'Asked the user for values',
        approval: 'Asked the user for approval',
        connection: 'Asked the user to connect an account',
        wait: 'Waits for the clock',
      }
      return {
        what: asked[text('kind') as keyof typeof asked] ?? 'Asked',
        more: known(
          text('tool') && title,
          ...list('open'),
          facts.uncertain === true && 'it may have happened',
          text('resumeAt'),
        ),
      }
    }
    case 'decision':
      return { what: `Decision: ${labelOf(text('decision'))}`, more: [] }
    case 'nudge':
      return { what: 'The model was asked again', more: [labelOf(text('stall'))] }
    case 'notice':
      return describeNotice(text)
    case 'run-end':
      return {
        what: `The run ended: ${labelOf(text('status'))}`,
        more: [],
        tone: text('status') === 'failed' ? 'problem' : 'done',
      }
    default:
      return { what: labelOf(type), more: [] }
  }
}

function describeResult(text: (name: string) => string): Described {
  const tries = Number(text('tries')) > 1 ? `${text('tries')} tries` : ''
  if (text('status') === 'succeeded') return { what: 'Done', more: known(tries), tone: 'done' }
  return {
    what: `${labelOf(text('status'))}: ${labelOf(text('error'))}`,
    more: known(text('parameter'), text('resolver') && `for the ${text('resolver')}`, tries),
    tone: 'problem',
  }
}

function describeNotice(text: (name: string) => string): Described {
  switch (text('notice')) {
    case 'model-switch':
      return { what: `Another model: ${text('to')}`, more: [`instead of ${text('from')}`] }
    case 'model-retry':
      return { what: `${text('model')} was asked again`, more: [`try ${text('attempt')}`] }
    default:
      return { what: 'The model failed', more: [], tone: 'problem' }
  }
}

function known(...words: (string | false)[]): string[] {
  return words.filter((word): word is string => word !== false && word !== '')
}

function count(number: string, unit: string): string {
  return number === '' ? '' : `${showNumber(Number(number))} ${unit}${number === '1' ? '' : 's'}`
}
