import type { Language } from '../../../words/language.ts'
import { english } from '../../../words/languages/english.ts'
import { prepareToolCall } from '../../calls/prepare-tool-call.ts'
import type { Said } from '../../core/asked.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { isObject } from '../../core/json-value.ts'
import type { Change } from '../../core/seen.ts'
import type { DecidedBy, DecisionEntry, QuestionEntry } from '../../transcript/entry.ts'
import type { LoopState } from '../../transcript/loop-state.ts'
import { fillOpenFields } from '../../transcript/open-fields.ts'
import { canBeApproved } from '../../transcript/open-items.ts'
import { showQuestion, storeQuestion } from '../../transcript/question-words.ts'
import { acceptAll, unfitField } from '../../transcript/server-form.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { close, draftOf, type QuestionDraft } from '../run/ask.ts'
import { append, type Run } from '../run/run.ts'
import type { ItemReference, ResumeAgentOptions } from '../run/run-options.ts'
import { findDraftTool } from './draft-tool.ts'
import { askAfterLook } from './look.ts'
import { withApproval } from './one-card.ts'
import { describeApproval } from './require-consent.ts'
import { senderAccount } from './sender-account.ts'

type Arguments = Record<string, unknown>
type Given = Pick<ResumeAgentOptions, 'answer' | 'approval' | 'connection' | 'skip'>

/** The decisions that close an open item; if none are given, the clock's. */
export function fitDecisions(
  state: LoopState,
  given: Given & Pick<ResumeAgentOptions, 'library'>,
): DecisionEntry[] {
  const { answer, approval, connection, skip, library } = given
  const approvals = approval === undefined ? [] : [approval].flat()
  const decisions: DecisionEntry[] = []
  const decide = (
    item: QuestionEntry | undefined,
    made: Omit<DecisionEntry, 'type' | 'itemId' | 'toolCallId'>,
  ) => {
    if (!item || decisions.some(({ itemId }) => itemId === item.itemId)) return
    decisions.push({ type: 'decision', itemId: item.itemId, toolCallId: item.toolCallId, ...made })
  }
  const open = [...state.items.values()].map(({ question }) => question)
  if (answer && isObject(answer.values)) {
    const item = findItem(open, answer, ['input'])
    const { values } = answer
    const given = item?.server ? { reply: acceptAll(item.server, values) } : { values }
    decide(item, { decision: 'answer', ...given, ...byOf(answer) })
  }
  for (const { toolCallId, approvalId, decision, values, input, reason, by, approvedBy } of approvals) {
    // An unknown decision must never count as a yes.
    if (decision !== 'approve' && decision !== 'deny' && decision !== 'draft') continue
    const item = findItem(open, { itemId: approvalId }, ['approval', 'input'])
    if (item?.toolCallId !== toolCallId || !canBeApproved(item)) continue
    const filledIn = isObject(values) && decision !== 'deny' ? { values } : {}
    decide(item, {
      decision,
      ...filledIn,
      ...(input ? { input } : {}),
      ...(reason ? { reason } : {}),
      ...byOf({ by }),
      ...(approvedBy ? { approvedBy } : {}),
    })
  }
  if (skip) decide(findItem(open, skip, ['input', 'connection']), { decision: 'skip', ...byOf(skip) })
  if (connection) {
    for (const item of connected(state, open, connection)) {
      if (!lacksAccount(library, item)) decide(item, { decision: 'connect' })
    }
  }
  if (Object.values({ answer, approval, connection, skip }).every((one) => one === undefined)) {
    for (const item of open) if (item.kind === 'wait') decide(item, { decision: 'time' })
  }
  return decisions
}

function byOf({ by }: { by?: DecidedBy | undefined }): Pick<DecisionEntry, 'by'> {
  return by ? { by } : {}
}

function findItem(
  open: readonly QuestionEntry[],
  reference: ItemReference,
  kinds: readonly QuestionEntry['kind'][],
): QuestionEntry | undefined {
  return open.find(
    (item) =>
      kinds.includes(item.kind) &&
      ('itemId' in reference ? item.itemId === reference.itemId : item.toolCallId === reference.toolCallId),
  )
}

/**
 * What may be waiting for the connection: the card it came from, and what this turn waits for with an account that the
 * card's tool can use, too. Where no card is named, whatever this turn waits for.
 */
function connected(
  { turnStart, items, tools }: LoopState,
  open: readonly QuestionEntry[],
  connection: true | ItemReference,
): QuestionEntry[] {
  const card = connection === true ? undefined : findItem(open, connection, ['connection'])
  if (connection !== true && !card) return []
  const providersOf = ({ toolName }: QuestionEntry) => tools.get(toolName)?.providers ?? []
  const isConcerned = (item: QuestionEntry) =>
    !card ||
    item.toolName === card.toolName ||
    providersOf(item).some((one) => providersOf(card).includes(one))
  return open.filter(
    (item) =>
      item.kind === 'connection' &&
      (item === card || (items.get(item.itemId)?.turn === turnStart && isConcerned(item))),
  )
}

/** Whether no provider of its tool is connected yet: then its card stays as it is. */
function lacksAccount(
  library: ResumeAgentOptions['library'],
  { toolName, arguments: args }: QuestionEntry,
): boolean {
  return library.get(toolName)?.requirement?.(args) !== undefined
}

/** Appends the decisions that can be carried out; for any other one, what still has to be asked. */
export async function acceptDecisions(
  run: Run,
  decisions: readonly DecisionEntry[],
  { connection, reader = english }: Pick<ResumeAgentOptions, 'connection' | 'reader'>,
): Promise<void> {
  const open = [...run.state.items.values()].map(({ question }) => question)
  const card = connection === true ? undefined : connection && findItem(open, connection, ['connection'])
  const asksFirst = connection !== true && connection?.asksFirst === true
  const isOnly = decisions.filter(({ decision }) => decision === 'connect').length === 1
  for (const decision of decisions) {
    const item = run.state.items.get(decision.itemId)?.question
    if (!item) continue
    const waits = decision.decision === 'connect' && (asksFirst || (item !== card && !isOnly))
    if (waits && effectOf(run, item) === 'write') await askInstead(run, item)
    else if (isExpired(run, item, decision)) await askAnew(run, item)
    else {
      const carried = carryOut(run, item, decision)
      const account = 'type' in carried ? undefined : otherAccount(run, item, decision, carried.args)
      if ('type' in carried) await askAfterLook(run, carried, item.intent)
      else if (account !== undefined && !isYes(decision)) await askInstead(run, item)
      else if (account !== undefined) await askFromAccount(run, item, carried.args, account)
      else append(run, withShown(run, item, decision, reader))
    }
  }
}

/** A decision with what was read by whoever made it. */
function withShown(run: Run, item: QuestionEntry, decision: DecisionEntry, reader: Language): DecisionEntry {
  if (decision.decision === 'time') return decision
  return { ...decision, shown: showQuestion(item, run.specifications, reader) }
}

/** A yes that comes too late: the same is asked again. */
async function askAnew(run: Run, item: QuestionEntry): Promise<void> {
  close(run, item, 'expired')
  await askAfterLook(run, draftOf(item), item.intent)
}

/**
 * What a yes relied on has changed before its effect: the same is asked again, and the card says what has changed. An
 * approved call may have waited for a connection or for the clock in the meantime.
 */
export function askAboutChanged(run: Run, item: QuestionEntry, changed: readonly Change[]): QuestionDraft {
  const asked = item.kind === 'approval' ? draftOf(item) : asApproval(run, item, item.arguments)
  // What was approved together with it goes its own way.
  const { together: _, ...own } = asked
  return { ...own, changed: [...changed] }
}

function isExpired(run: Run, { expiresAt }: QuestionEntry, decision: DecisionEntry): boolean {
  return isYes(decision) && expiresAt !== undefined && run.clock.now() >= Date.parse(expiresAt)
}

function isYes({ decision }: DecisionEntry): boolean {
  return decision === 'approve' || decision === 'draft'
}

/**
 * The account that an approved mail would now be sent from, if it is not the one on the card (also before its account was
 * lost and had to be connected again) or chosen by the person.
 */
function otherAccount(
  run: Run,
  { toolName, account }: QuestionEntry,
  decision: DecisionEntry,
  args: Arguments,
): string | undefined {
  const wasApproved = isYes(decision) || (decision.decision === 'connect' && account !== undefined)
  if (!wasApproved || args.from !== undefined) return undefined
  const now = senderAccount(run, run.specifications.get(toolName) ?? { name: toolName }, args)
  return now === account ? undefined : now
}

/** The accounts have changed since somebody was asked: the same is asked again, from the one that it is now. */
async function askFromAccount(
  run: Run,
  item: QuestionEntry,
  args: Arguments,
  account: string,
): Promise<void> {
  const isReworded = !item.outcomeUnknown && canonicalJson(args) !== canonicalJson(item.arguments)
  const asked = isReworded ? asApproval(run, item, args) : { ...draftOf(item), account }
  await askAfterLook(run, asked, item.intent)
}

/** The same call with these values, as an approval in words of its own. What was seen was seen with the old ones. */
function asApproval(run: Run, item: QuestionEntry, args: Arguments): QuestionDraft {
  const {
    choices: _,
    href: __,
    resumeAt: ___,
    heldBy: ____,
    server: _____,
    state: ______,
    seen,
    ...old
  } = withoutWords(draftOf(item))
  const about = seen && canonicalJson(args) === canonicalJson(item.arguments) ? { ...old, seen } : old
  const words = describeApproval(run, item.toolName, args)
  return { ...about, kind: 'approval', arguments: args, open: [], ...words }
}

/** A write that waited for a connection which was made for something else: nothing is sent unseen. */
async function askInstead(run: Run, item: QuestionEntry): Promise<void> {
  const { href: _, ...about } = withoutWords(draftOf(item))
  await askAfterLook(
    run,
    { ...about, kind: 'approval', ...describeApproval(run, item.toolName, item.arguments) },
    item.intent,
  )
}

function effectOf(run: Run, { toolName }: QuestionEntry): string {
  return run.specifications.get(toolName)?.effect ?? 'write'
}

/** The call that a decision allows to continue, or the question that it leaves open. */
export function carryOut(
  run: Run,
  item: QuestionEntry,
  { decision, values = {}, input, reply }: DecisionEntry,
): { toolName: string; args: Arguments } | QuestionDraft {
  const { toolName, arguments: args, open } = item
  switch (decision) {
    case 'answer': {
      if (!item.server) return prepareAgain(run, item, fillOpenFields(args, open, values))
      const unfit = unfitField(item.server, reply)
      if (unfit === undefined) return { toolName, args }
      return { ...draftOf(item), codeValues: { ...item.codeValues, unfit } }
    }
    case 'approve':
      return prepareAgain(run, item, fillOpenFields(input ?? args, open, values))
    case 'draft': {
      const whole = prepareAgain(run, item, fillOpenFields(input ?? args, open, values))
      if ('type' in whole) return whole
      const draft = findDraftTool(toolName, whole.args, run.agent.tools)
      return (
        draft ?? {
          ...beside(item.kind === 'input' ? asApproval(run, item, whole.args) : draftOf(item), {
            code: 'no_draft',
          }),
        }
      )
    }
    case 'deny':
    case 'skip':
    case 'connect':
    case 'time':
      return { toolName, args }
  }
}

/** Prepares a call that a person changed. If it does not fit, the same item now asks about that. */
function prepareAgain(
  run: Run,
  item: QuestionEntry,
  args: Arguments,
): { toolName: string; args: Arguments } | QuestionDraft {
  const prepared = prepareToolCall({
    name: item.toolName,
    rawArguments: JSON.stringify(args),
    tools: run.agent.tools,
    slots: { shown: run.state.slots },
  })
  if (prepared.ok) return { toolName: item.toolName, args: prepared.args }
  const { errorType, details } = prepared.error
  // The agent no longer has the tool: the person is told so, and must not cause a call of another tool.
  if (errorType === 'tool_not_found') return { toolName: item.toolName, args }
  const { correction } = details
  const said = saidOf(prepared.error)
  // A card keeps every change, also what does not fit; a form asks for that.
  if (item.kind === 'approval') return beside(asApproval(run, item, args), said)
  const kept = correction && { arguments: correction.arguments, open: correction.open }
  return withApproval(run, { ...withoutWords(draftOf(item)), ...kept, ...storeQuestion(said) })
}

/** An approval that asks something else first, and keeps its own question as what it is about. */
function beside(approval: QuestionDraft, said: Said): QuestionDraft {
  const { code, codeValues: values, why = { code, values } } = approval
  return { ...withoutWords(approval), ...storeQuestion(said), why }
}

/** A question without its old words and offer: it asks something else now. */
function withoutWords({
  codeValues: _,
  asked: __,
  hint: ___,
  remember: ____,
  why: _____,
  ...question
}: QuestionDraft): QuestionDraft {
  return question
}
