import type { ParkedQuestion } from '../../core/server-question.ts'
import type { ToolError } from '../../core/tool-error.ts'
import { withoutNothing } from '../../core/without-nothing.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { canBeAnswered, decideConsequence } from '../../transcript/error-consequence.ts'
import type { Intent } from '../../transcript/intent.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { storeQuestion } from '../../transcript/question-words.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { toolValues } from '../../wording/question-values.ts'
import { settingsLink } from '../../wording/settings-link.ts'
import { whyValues } from '../../wording/why-values.ts'
import { ask, draftOf, type QuestionDraft } from '../run/ask.ts'
import { isSpent } from '../run/limits.ts'
import type { Run } from '../run/run.ts'
import { afterAnswer } from './failed-before.ts'
import { withApproval } from './one-card.ts'
import { questionAbout } from './question-about-call.ts'
import { questionAboutUnknown } from './question-about-unknown.ts'
import { findUnaskedWrites, type UnaskedWrite } from './repetition.ts'

/** Appends the questions that follow from how the calls of the last round ended, each once. */
export function askPeople(run: Run): void {
  for (const called of run.state.round) {
    if (called.asked || called.call.duplicateOf) continue
    const question = questionAfter(run, called)
    if (question) ask(run, question)
  }
}

/** Whether the run will wait for somebody because of how this call ended. */
export function asksSomebody(run: Run, called: CallState): boolean {
  return called.asked || questionAfter(run, called) !== undefined
}

/** An item that a call continued is asked again if the call failed and did nothing. */
export function askAgainAfterFailure(run: Run): void {
  for (const item of [...run.state.continuedItems.values()]) ask(run, draftOf(item), item.intent)
}

/** Writes that may have happened and about which nobody was asked yet, as questions. */
export function askAboutUnknown(run: Run): QuestionEntry[] {
  const drafts = [
    ...[...run.state.unknown].map((called) =>
      questionAboutCall(run, called, called.result?.result as ToolError),
    ),
    ...findUnaskedWrites(run.state).map((write) => questionAboutWrite(run, write)),
  ]
  return drafts.map((draft) => ask(run, draft))
}

/** The answer it belongs to was replaced, so nothing else mentions it. */
function questionAboutWrite(run: Run, write: UnaskedWrite): QuestionDraft {
  const { repetition = 0 } = write
  return questionAboutUnknown({ ...write, tool: toolOf(run, write.toolName), repetition }, run)
}

function toolOf(run: Run, name: string) {
  return run.specifications.get(name) ?? { name }
}

/** The latest moment a `Date` can hold. */
const latestDate = 8.64e15

function questionAfter(run: Run, called: CallState): QuestionDraft | undefined {
  const { result, intent } = called
  if (!result || result.result.ok || result.result.errorType === 'cancelled') return undefined
  const error = result.result
  if (result.retryAt !== undefined) {
    const resumeAt = new Date(Math.min(result.retryAt, latestDate)).toISOString()
    return questionAbout(
      'wait',
      called,
      {
        code: 'wait_for_tool',
        values: { ...toolValues(toolOf(run, called.call.toolName)), ...whyValues(saidOf(error)) },
      },
      { resumeAt },
    )
  }
  if (result.parked) return questionOfServer(called, error, result.parked)
  switch (decideConsequence(error, run.specifications.get(called.call.toolName))) {
    case 'once-more':
    case 'sentence':
      return undefined
    case 'connection':
      return questionAbout('connection', called, saidOf(error), {
        ...connectionLink(run, called, error),
        ...approvedAccount(called),
      })
    case 'approval':
      return questionAboutCall(run, called, error)
    case 'input':
      return intent && questionForIntent(run, intent, error)
    case 'feedback': {
      const isOver = intent && isSpent(run.limits, intent) && canBeAnswered(error)
      return isOver ? questionForIntent(run, intent, error) : undefined
    }
  }
}

/** What the server of a call asks: only the user can answer, and the answer is for that server alone. */
function questionOfServer(
  called: CallState,
  error: ToolError,
  { question, state }: ParkedQuestion,
): QuestionDraft {
  return questionAbout('input', called, saidOf(error), { server: question, ...withoutNothing({ state }) })
}

/** The account that a person has approved it for: with another one, they are asked again. */
function approvedAccount({ decided }: CallState): { account?: string } {
  const account = decided?.question.account
  return account === undefined ? {} : { account }
}

/** Where the user connects it: the error's link, else the settings of the tool's preferred provider. */
function connectionLink(run: Run, { call }: CallState, { details }: ToolError): { href?: string } {
  const [provider] = run.specifications.get(call.toolName)?.providers ?? []
  if (details.action) return { href: details.action.href }
  return provider === undefined ? {} : { href: settingsLink(provider) }
}

function questionAboutCall(run: Run, { call, result }: CallState, error?: ToolError): QuestionDraft {
  const { toolCallId, toolName, input, startedAt: at, repetition = 0 } = call
  const args = typeof input === 'object' ? input : {}
  return questionAboutUnknown(
    {
      ...{ toolCallId, tool: toolOf(run, toolName), arguments: args, repetition, at, error },
      isSecond: result?.isSecond === true,
    },
    run,
  )
}

/** The failed call of an intent as a form: what is known, the fields a person has to fill, and the approval it needs. */
export function questionForIntent(run: Run, intent: Intent, error: ToolError): QuestionDraft {
  const { correction, allowed } = error.details
  const isChoice = error.resolver === 'user' && allowed !== undefined && correction?.open.length === 1
  const form: QuestionDraft = {
    type: 'question',
    kind: 'input',
    toolCallId: intent.toolCallId,
    toolName: correction?.name ?? intent.tool,
    ...storeQuestion(saidOf(error)),
    arguments: correction?.arguments ?? {},
    open: correction?.open ?? [],
    choices: isChoice ? allowed : undefined,
  }
  return withApproval(run, afterAnswer(run, form, error))
}
