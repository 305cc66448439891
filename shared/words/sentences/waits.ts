import type { Say } from '../said.ts'
import { onMoment } from './earlier.ts'
import type { Subject } from './subject.ts'

/** Whose budget it is, if not the user's: in English with the verb. */
export const budgetOwners: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: { agent: 'This agent has', project: 'This app has' },
  de: { agent: 'Das Budget dieses Agenten', project: 'Das Budget dieser App' },
}
/** The time that a budget is for. */
export const budgetWindows: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: { hour: 'this hour’s', day: 'today’s' },
  de: { hour: 'diese Stunde', day: 'heute' },
}
const germanSpans: Readonly<Record<string, string>> = { minute: 'Minute', hour: 'Stunde', day: 'Tag' }

const budgetInEnglish: Say = ({ values: { scope, measure, per, limit, tool, resumeAt, canWait }, show }) => {
  if (per === undefined) return undefined
  const when = onMoment.en(show, resumeAt)
  const because =
    measure === 'writes'
      ? `You’ve reached your limit for changes${tool ? ' with this tool' : ''} (${show.value(limit)} per ${per}).`
      : `${budgetOwners.en[String(scope)] ?? 'You’ve'} used ${budgetWindows.en[String(per)]} budget.`
  const asked =
    canWait === false
      ? `Try again ${when ?? 'later'}, or ask your administrator.`
      : `It continues ${when ?? 'by itself'}. To continue sooner, ask your administrator.`
  return { because, asked }
}

const budgetInGerman: Say = ({ values: { scope, measure, per, limit, tool, resumeAt, canWait }, show }) => {
  if (per === undefined) return undefined
  const when = onMoment.de(show, resumeAt)
  const because =
    measure === 'writes'
      ? `Deine Grenze für Änderungen${tool ? ' mit diesem Werkzeug' : ''} ist erreicht (${show.value(limit)} pro ${germanSpans[String(per)]}).`
      : `${budgetOwners.de[String(scope)] ?? 'Dein Budget'} für ${budgetWindows.de[String(per)]} ist aufgebraucht.`
  const asked =
    canWait === false
      ? `Versuch es ${when ?? 'später'} noch einmal, oder frag deine Administratoren.`
      : `Es geht ${when ?? 'von selbst'} weiter. Soll es früher sein, frag deine Administratoren.`
  return { because, asked }
}

/** What is said of a wait that ends by itself. */
export const waits = {
  en: {
    wait_for_tool: ({ tool, why }) =>
      why() ?? `"${tool}" is not available right now. It continues by itself.`,
    wait_budget: budgetInEnglish,
    wait_budget_reserved: ({ values: { canWait } }) => ({
      because: 'The rest of the budget is reserved for answers that are still being written.',
      asked: canWait === false ? 'Try again in a few seconds.' : 'This continues in a few seconds.',
    }),
    wait_time: () => 'This is taking longer than usual. It continues by itself.',
  },
  de: {
    wait_for_tool: ({ tool }) => `„${tool}“ steht gerade nicht zur Verfügung. Es geht von selbst weiter.`,
    wait_budget: budgetInGerman,
    wait_budget_reserved: ({ values: { canWait } }) => ({
      because: 'Der Rest des Budgets ist für Antworten vorgemerkt, die gerade entstehen.',
      asked:
        canWait === false
          ? 'Versuch es in ein paar Sekunden noch einmal.'
          : 'Es geht in ein paar Sekunden weiter.',
    }),
    wait_time: () => 'Das dauert länger als üblich. Es geht von selbst weiter.',
  },
} satisfies Subject<'wait_for_tool' | 'wait_budget' | 'wait_budget_reserved' | 'wait_time'>
