import type { Moment } from '../../../../client/api/types.ts'
import { showDate, showNumber } from '../../../base/locale.ts'
import { nameCode } from '../words.ts'
import { operatorWords } from './words.ts'

export interface Described {
  what: string
  /** Further details. */
  more: string[]
  tone?: 'done' | 'problem'
}

/** Describes a timeline event. It comes with codes only, so there is nothing more to tell than this. */
export function describeMoment({ type, facts }: Moment, titleOf: (tool: string) => string): Described {
  const text = (name: string) => (facts[name] === undefined ? '' : String(facts[name]))
  const list = (name: string) => (Array.isArray(facts[name]) ? (facts[name] as string[]) : [])
  const title = titleOf(text('tool'))
  const words = operatorWords()
  switch (type) {
    case 'user-message':
      return {
        what: words.userWrote,
        more: known(count(text('characters'), words.characters), count(text('files'), words.files)),
      }
    case 'run-start':
      return { what: words.runBegan, more: [] }
    case 'model-text':
      return { what: words.modelWrote, more: [count(text('characters'), words.characters)] }
    case 'step-end':
      return {
        what: words.hadAnswered(text('model')),
        more: known(
          text('provider'),
          count(text('tokens'), words.tokens),
          text('window') && words.cutTo(shown(text('sent')), shown(text('window'))),
          ...list('cut'),
        ),
      }
    case 'tool-model-call':
      return { what: words.toolAsked(text('model')), more: known(text('provider')) }
    case 'call':
      return {
        what: words.call(title, text('attempt')),
        more: known(
          facts.prepared === false && words.notFit,
          facts.repeated === true && words.asBefore,
          facts.decided === true && words.afterDecision,
          ...list('repairs').map(words.repaired),
        ),
      }
    case 'result':
      return describeResult(text)
    case 'unreported':
      return {
        what: words.notReported(title, text('attempt')),
        more: known(nameCode(text('status')), text('error') && nameCode(text('error'))),
        tone: 'problem',
      }
    case 'wait':
      return { what: words.waited, more: [] }
    case 'question':
      return {
        what: words.askedFor[text('kind') as keyof typeof words.askedFor] ?? words.asked,
        more: known(
          text('tool') && title,
          ...list('open'),
          facts.outcomeUnknown === true && words.outcomeUnknown,
          text('resumeAt') && showDate(text('resumeAt'), 'moment'),
        ),
      }
    case 'decision':
      return { what: words.decision(nameCode(text('decision'))), more: [] }
    case 'nudge':
      return { what: words.askedAgain, more: [nameCode(text('stall'))] }
    case 'notice':
      return describeNotice(text)
    case 'run-end':
      return {
        what: words.runEnded(nameCode(text('status'))),
        more: [],
        tone: text('status') === 'failed' ? 'problem' : 'done',
      }
    default:
      return { what: nameCode(type), more: [] }
  }
}

function describeResult(text: (name: string) => string): Described {
  const words = operatorWords()
  const tries = Number(text('tries')) > 1 ? words.tries(Number(text('tries'))) : ''
  if (text('status') === 'succeeded') return { what: words.done, more: known(tries), tone: 'done' }
  return {
    what: words.result(nameCode(text('status')), nameCode(text('error'))),
    more: known(text('parameter'), text('resolver') && words.forWhom(nameCode(text('resolver'))), tries),
    tone: 'problem',
  }
}

function describeNotice(text: (name: string) => string): Described {
  const words = operatorWords()
  switch (text('notice')) {
    case 'model-switch':
      return { what: words.otherModel(text('to')), more: known(words.insteadOf(text('from')), text('why')) }
    case 'model-retry':
      return {
        what: words.modelAskedAgain(text('model')),
        more: known(words.tryNumber(text('attempt')), text('why')),
      }
    case 'window-learned': {
      const by = text('by') === 'silence' ? words.cutMore : words.refusedMore
      const what = words.readsAtMost(text('model'), shown(text('window')))
      return { what, more: [by(shown(text('sent')))], tone: 'problem' }
    }
    case 'tool-refused':
      return { what: words.toolRefused(text('tool')), more: [text('model'), text('why')], tone: 'problem' }
    case 'budget':
      return { what: words.budgetNear, more: [] }
    default:
      return { what: words.modelFailed, more: known(text('model'), text('why')), tone: 'problem' }
  }
}

function known(...words: (string | false)[]): string[] {
  return words.filter((word): word is string => word !== false && word !== '')
}

function shown(number: string): string {
  return showNumber(Number(number))
}

function count(number: string, inWords: (count: number, shown: string) => string): string {
  return number === '' ? '' : inWords(Number(number), showNumber(Number(number)))
}
