import { askedInEnglish, type Said, sentenceOf } from '../../core/asked.ts'
import { formatPath, type JsonPath, parameterAt } from '../../core/json-path.ts'
import { type Permission, usualUse } from '../../core/permission.ts'
import { type ToolError, toolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import {
  judgeProvenance,
  type ProvenanceVerdict,
  type UnapprovedValue,
} from '../../provenance/check-provenance.ts'
import { isChosenWhole } from '../../provenance/chosen-value.ts'
import { programNameOf } from '../../provenance/evidence.ts'
import { patternFor, type Recipients, recipientsOf } from '../../provenance/recipients.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import { missingAt } from '../../schema/find-faults.ts'
import { type CalledWith, declaredPlace, type Place } from '../../schema/place.ts'
import { openPlaces } from '../../tools/open-places.ts'
import type { Call } from '../../transcript/entry.ts'
import { findRecords } from '../../transcript/known-records.ts'
import { showOpen } from '../../transcript/open-fields.ts'
import { keptArguments } from '../../transcript/open-items.ts'
import type { OutsideFor } from '../../transcript/outside.ts'
import { storeQuestion } from '../../transcript/question-words.ts'
import { callValues } from '../../wording/call-values.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { placeValues, toolValues } from '../../wording/question-values.ts'
import { titleOf } from '../../wording/tool-title.ts'
import type { QuestionDraft } from '../run/ask.ts'
import { describeInvocation } from '../run/invocation.ts'
import type { DoneBefore, EarlierWrite, Invocation } from '../run/ledger.ts'
import type { Outcome, RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { addressForAnswers } from './address-for-answers.ts'
import { addressesToRead } from './addresses-to-read.ts'
import { destructionOf, targetOf, wasAllowed } from './destructive-write.ts'
import { earlierValues } from './earlier-values.ts'
import { evidenceOf } from './evidence-of.ts'
import { afterFailure } from './failed-before.ts'
import { withNewWords } from './new-since.ts'
import { findNewlyTrue, type NewlyTrue } from './newly-true.ts'
import { originValues } from './origins.ts'
import { questionAbout } from './question-about-call.ts'
import { findRepetition } from './repetition.ts'
import { senderAccount } from './sender-account.ts'
import { whyAskUnasked } from './unasked-write.ts'
import { whyAskToSend } from './way-out.ts'

type Arguments = Record<string, unknown>

/** Whether the model reads something that the user did not write (see `hasOutside`). */
export type Outside = (how: OutsideFor) => boolean

/** Whether a prepared call may run now: undefined, or the outcome that asks somebody first. */
export function requireConsent(
  run: Run,
  call: RoundCall,
  args: Record<string, unknown>,
  outside: Outside,
): Outcome | undefined {
  const { specification } = call
  if (!specification) return undefined
  if (call.call.approved) {
    const unseen = askAboutFilledIn(run, call, args)
    return unseen && { status: 'waiting', question: unseen }
  }
  const origin = isForClientToDo(run, specification)
    ? ({ verdict: 'run' } as const)
    : judge(run, specification, args)
  if (origin.verdict === 'ask') {
    return { status: 'rejected', result: mustComeFromUser(specification, args, origin.values), tries: 0 }
  }
  const question = findApproval(run, call, args, outside, origin)
  if (!question && !call.needs) return undefined
  // Missing requirements come first: nobody should approve what cannot be done.
  const missing = run.tools.get(specification.name)?.requirement?.(args)
  if (missing) return { status: 'failed', result: missing, tries: 0 }
  return question && { status: 'waiting', question: afterFailure(run, call, args, question) }
}

/** The approval that a call needs: for values that the user did not give, for repeating it, always, for deleting, or to be theirs. */
export function findApproval(
  run: Run,
  call: RoundCall,
  args: Arguments,
  outside: Outside,
  origin: ProvenanceVerdict = call.specification ? judge(run, call.specification, args) : { verdict: 'run' },
  mayPermit = run.ledger.mayPermit?.(call.call.toolName) === true,
): QuestionDraft | undefined {
  const { specification } = call
  const ofProgram = mayPermit ? coveredForProgram(run, specification, args, origin) : undefined
  if (origin.verdict === 'approve' && !ofProgram)
    return questionOf(call, approveOrigin(run, specification, call.call, args, origin))
  const repetition = findRepetition(run, call, args)
  if (repetition) return askToRepeat(run, call, repetition)
  const wayOut = specification && askToSend(run, call, specification, args)
  if (wayOut) return wayOut
  const consent = findNewlyTrue(run.state, call)
  if (consent) return questionForConsent(run, call, consent)
  if (ofProgram) {
    call.needs = ofProgram
    return undefined
  }
  if (waitsForApproval(specification, args)) {
    const recipients = outside({ mayTrust: false }) ? undefined : permissible(run, specification, args)
    if (!recipients || !mayPermit) return questionForApproval(run, call, recipients)
    call.needs = recipients
    return undefined
  }
  if (specification?.effect !== 'write') return undefined
  return (
    askToDestroy(run, call, specification, args, outside) ??
    askIfTheirs(run, call, specification, args, outside)
  )
}

/** What would leave for a server after something private was read elsewhere. */
function askToSend(
  run: Run,
  call: RoundCall,
  tool: ToolSpecification,
  args: Arguments,
): QuestionDraft | undefined {
  const why = whyAskToSend(run, tool, args)
  if (!why || wasAllowedThisTurn(run, tool, args)) return undefined
  return questionToRun(run, call, why, { reason: 'outside' })
}

/** A deletion, or a change of what is there that is not the user's in every value. */
function askToDestroy(
  run: Run,
  call: RoundCall,
  tool: ToolSpecification,
  args: Arguments,
  outside: Outside,
): QuestionDraft | undefined {
  const kind = destructionOf(tool, args)
  if (!kind || !outside({ mayTrust: false }) || wasAllowedThisTurn(run, tool, args)) return undefined
  const isTheirs = () =>
    hasFilledIn(call) || (!run.state.clientCall && isChosenWhole(tool, args, evidenceOf(run)))
  if (kind === 'change' && isTheirs()) return undefined
  return questionToRun(run, call, { code: 'approve_destructive' }, { reason: 'destructive' })
}

/** What something from outside may have asked for, and nothing shows that the user did. */
function askIfTheirs(
  run: Run,
  call: RoundCall,
  tool: ToolSpecification,
  args: Arguments,
  outside: Outside,
): QuestionDraft | undefined {
  if (isForClientToDo(run, tool)) return undefined
  if (!outside({ mayTrust: true, intent: call.call.intent }) || wasAllowedThisTurn(run, tool, args))
    return undefined
  const why = whyAskUnasked(run, tool, args, hasFilledIn(call))
  return why && questionToRun(run, call, why, { reason: 'outside' })
}

/** Whether a program may have this done without a person's word. */
function isForClientToDo({ state }: Run, tool: ToolSpecification): boolean {
  return state.clientCall !== undefined && tool.reversible === true
}

/**
 * Whether a person has just filled in a value of this very call: one question is enough. Not where the form was an approval,
 * too, and they did not approve.
 */
function hasFilledIn({ state: { decided } }: RoundCall): boolean {
  if (decided?.decision.by?.door === 'client') return false
  const isAnswer = decided?.decision.decision === 'answer' && decided.question.open.length > 0
  return isAnswer && decided.question.reason === undefined
}

/** Whether a person has just filled in values of this very call, and approved it with them. */
export function isFilledIn({ state: { decided } }: RoundCall): boolean {
  return decided?.decision.decision === 'approve' && decided.question.open.length > 0
}

/** What nobody could be asked before the values were there: to repeat a write, or to delete what only they name. */
function askAboutFilledIn(run: Run, call: RoundCall, args: Arguments): QuestionDraft | undefined {
  const { specification, state } = call
  const asked = state.decided?.question
  if (!specification || !asked || !isFilledIn(call)) return undefined
  const isKnown = asked.reason === 'repetition' || asked.reason === 'unknown'
  const repetition = isKnown ? undefined : findRepetition(run, call, args)
  if (repetition) return askToRepeat(run, call, repetition)
  const named = targetOf(specification, keptArguments(asked)) === targetOf(specification, args)
  if (named || destructionOf(specification, args) !== 'delete') return undefined
  return questionToRun(run, call, { code: 'approve_destructive' }, { reason: 'destructive' })
}

function askToRepeat(run: Run, call: RoundCall, earlier: DoneBefore): QuestionDraft {
  const reason = earlier.write.status === 'succeeded' ? 'repetition' : 'unknown'
  return questionAboutRepetition(run, call, earlier, { reason })
}

function wasAllowedThisTurn(run: Run, tool: ToolSpecification, args: Arguments): boolean {
  return wasAllowed(tool, args, run.entries.slice(run.state.turnStart + 1))
}

/**
 * Whom a call goes to, if a standing permission can take the place of the agent's own rule: never where it deletes or
 * overwrites, or where the rule depends on its values.
 */
function permissible(run: Run, tool: ToolSpecification | undefined, args: Arguments): Recipients | undefined {
  if (!run.ledger.mayPermit || tool?.approval !== 'always' || tool.effect !== 'write') return undefined
  // No user allows what others decide.
  if (tool.approvers) return undefined
  return destructionOf(tool, args) ? undefined : recipientsOf(tool, args)
}

/**
 * Whom the call of a program goes to, if a standing permission that its user gave to it can take the place of asking: it says
 * itself who gets it, and nothing else in it has to come from the user. Never where it deletes or overwrites, where its rule
 * depends on its values, where others decide, or where an agent calls for the program.
 */
function coveredForProgram(
  { state: { clientCall } }: Run,
  tool: ToolSpecification | undefined,
  args: Arguments,
  origin: ProvenanceVerdict,
): Recipients | undefined {
  if (!clientCall || clientCall.message !== undefined || tool?.effect !== 'write') return undefined
  if (tool.approvers || tool.alwaysAsks || typeof tool.approval === 'object') return undefined
  if (destructionOf(tool, args)) return undefined
  const isOwn = (value: UnapprovedValue) => 'from' in value && programNameOf(value.from) !== undefined
  if (origin.verdict === 'ask' || (origin.verdict === 'approve' && !origin.values.every(isOwn)))
    return undefined
  return recipientsOf(tool, args)
}

/** The question for a call that no standing permission covers after all; `spent`: one would, but is used up. */
export function questionWithoutPermission(
  run: Run,
  call: RoundCall,
  args: Arguments,
  spent?: Omit<Permission, 'path'>,
): QuestionDraft {
  if (!run.state.clientCall) return questionForApproval(run, call, call.needs, spent)
  const asked = findApproval(run, call, args, () => true, undefined, false)
  return asked ?? questionForApproval(run, call, undefined)
}

/**
 * The question of the agent's own rule. `recipients`: whom a standing permission could cover; `spent`: the one that does,
 * but is used up.
 */
function questionForApproval(
  run: Run,
  call: RoundCall,
  recipients: Recipients | undefined,
  spent?: Omit<Permission, 'path'>,
): QuestionDraft {
  const pattern = recipients && patternFor(recipients.addresses)
  // The same again would change nothing.
  const limit =
    spent && spent.pattern === pattern ? { max: Math.min(spent.max * 2, 1000), per: spent.per } : usualUse
  const remember = pattern && { remember: { path: recipients.path, pattern, ...limit } }
  const why: Said = spent ? { code: 'approve_spent', values: { ...spent } } : { code: 'approve' }
  return questionToRun(run, call, why, { reason: 'consent', ...remember })
}

/** The question about a call, and what a yes applies to. */
interface Approval {
  said: Said
  more: Pick<QuestionDraft, 'approves' | 'repetition' | 'reason' | 'remember' | 'addresses' | 'account'>
}

function questionOf(call: RoundCall, { said, more }: Approval): QuestionDraft {
  return questionAbout('approval', call, said, more)
}

/** Values from elsewhere are approved with the call; places on the web are opened with it. */
function approveOrigin(
  run: Run,
  tool: ToolSpecification | undefined,
  { toolName, effect }: Pick<Call, 'toolName' | 'effect'>,
  args: Arguments,
  { values }: Extract<ProvenanceVerdict, { verdict: 'approve' }>,
): Approval {
  const about = tool ?? { name: toolName }
  const places = values.filter((value) => 'isPlace' in value)
  const named = values
    .filter((value) => 'from' in value)
    .map(({ path, value }) => ({ path: formatPath(path), value }))
  const approves = named.length > 0 ? { approves: named } : {}
  const origins = originValues(values, run.specifications)
  if (places.length === 0) {
    const why: Said = { code: 'approve_origin', values: origins }
    return approveCall(run, about, args, why, { reason: 'provenance', ...approves })
  }
  const addresses = places.map(({ value }) => String(value))
  const read = addressesToRead(run, addresses)
  const more = { reason: 'addresses' as const, addresses: read.addresses, ...approves }
  const isReading = effect === 'read' && named.length === 0
  const why: Said = {
    code: 'approve_addresses',
    values: { ...read.values, ...origins, ...(isReading ? { isReading } : {}) },
  }
  return approveCall(run, about, args, why, more)
}

/** The question for a call that needs approval, including where its values come from. */
export function describeApproval(
  run: Run,
  toolName: string,
  args: Arguments,
): ReturnType<typeof storeQuestion> & Approval['more'] {
  const tool = run.specifications.get(toolName)
  const judged = tool && judge(run, tool, args)
  const effect = tool?.effect ?? 'write'
  const { said, more } =
    judged?.verdict === 'approve'
      ? approveOrigin(run, tool, { toolName, effect }, args, judged)
      : approveCall(run, tool ?? { name: toolName }, args, { code: 'approve' }, { reason: 'consent' })
  return { ...storeQuestion(said), ...more }
}

/** Whether the tool's own rule requires approval, for all calls or for certain values. */
function waitsForApproval(
  { approval }: Pick<ToolSpecification, 'approval'> = {},
  args: Record<string, unknown>,
): boolean {
  if (approval === undefined || typeof approval === 'string') return approval === 'always'
  return Object.entries(approval).some(([name, values]) => values.includes(args[name]))
}

/** Whether the values that must come from the user did. */
function judge(run: Run, tool: ToolSpecification, args: Record<string, unknown>): ProvenanceVerdict {
  if (sourcedValues(tool, args).length === 0) return { verdict: 'run' }
  return judgeProvenance(tool, args, evidenceOf(run), run.user)
}

/** One question is enough: people who are asked anyway also read what of this kind was done, and when. */
export async function addEarlierWrite(
  run: Run,
  call: RoundCall,
  question: QuestionDraft,
): Promise<QuestionDraft> {
  if (call.call.effect !== 'write') return question
  const same = await findSame(run, call, describeInvocation(run, call)).catch(() => undefined)
  if (!same) return question
  const again = questionAboutRepetition(run, call, same)
  const { approves, addresses, codeValues, repetition = 0 } = question
  // The question keeps its own reason, too.
  const isAbout = approves !== undefined || addresses !== undefined
  return {
    ...again,
    codeValues: { ...(isAbout ? codeValues : {}), ...again.codeValues },
    repetition: Math.max(again.repetition ?? 0, repetition),
    ...(approves ? { approves } : {}),
    ...(addresses ? { addresses } : {}),
  }
}

/** The write that a call would repeat, in the same or in other words. */
async function findSame(
  run: Run,
  call: RoundCall,
  invocation: Invocation,
): Promise<EarlierWrite | undefined> {
  const found = await run.ledger.findSame?.(invocation)
  const again = found && withNewWords(run, call, invocation, found)
  return again ? findSame(run, call, again) : found
}

/** The tool's question, in its own words, and the call with the yes in it. */
function questionForConsent(run: Run, call: RoundCall, { paths, refusal }: NewlyTrue): QuestionDraft {
  const asker = titleOf(call.specification ?? { name: call.call.toolName })
  const { code, values: own } = saidOf({ ...refusal, details: { asker } })
  const values = { asker, words: own?.words, asks: code === 'tool_asks' }
  return questionToRun(run, call, { code: 'approve_yes', values }, { reason: 'consent' }, paths)
}

/**
 * A write that means the same was, or may have been, carried out: the user is told what that was, and when. `isPermitted`:
 * a standing permission covers it, so they are also told why they are asked all the same.
 */
export function questionAboutRepetition(
  run: Run,
  call: RoundCall,
  earlier: DoneBefore,
  {
    reason = 'repetition',
    isPermitted = false,
  }: { reason?: 'repetition' | 'unknown'; isPermitted?: boolean } = {},
): QuestionDraft {
  const { nextRepetition, otherWords } = earlier
  const { arguments: args, at, status, isSecond = false } = earlier.write
  const tool = call.specification ?? { name: call.call.toolName }
  const isElse = otherWords != null && status === 'succeeded'
  const code = isElse ? 'approve_as_well' : status === 'succeeded' ? 'approve_again' : 'approve_after_unknown'
  const more = { reason, repetition: nextRepetition ?? call.call.repetition ?? 0 }
  const values = {
    ...earlierValues(tool, args, { at, status, isSecond }, run.user?.timezone),
    ...(isPermitted ? { isPermitted } : {}),
  }
  return questionToRun(run, call, { code, values }, more)
}

/** `shown`: paths of values that a person must see besides those that must come from the user. */
function questionToRun(
  run: Run,
  call: RoundCall,
  why: Said,
  more: Approval['more'],
  shown: readonly JsonPath[] = [],
): QuestionDraft {
  const { specification, args = {} } = call
  const tool = specification ?? { name: call.call.toolName }
  return questionOf(call, approveCall(run, tool, args, why, more, shown))
}

/** The approval for a person: why, what, and with which account. */
function approveCall(
  run: Run,
  tool: ToolSpecification | { name: string },
  args: Arguments,
  why: Said,
  more: Approval['more'],
  told: readonly JsonPath[] = [],
): Approval {
  const specification = 'parameters' in tool ? tool : undefined
  const sourced = specification ? sourcedValues(specification, args) : []
  const names = [...new Set([...sourced.map(({ path }) => path), ...told].map(parameterAt))]
  const find = specification && findRecords(run.entries, run.specifications, specification)
  const account = specification && senderAccount(run, specification, args)
  const answered = specification && addressForAnswers(run, specification, args)
  const values = { ...why.values, ...callValues(tool, showOpen(args), names, find), ...answered }
  return {
    said: { code: why.code, values },
    more: { ...more, ...(account === undefined ? {} : { account }) },
  }
}

/** A value that nobody gave: its place is open, the rest of the call is kept. */
function mustComeFromUser(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  values: { path: JsonPath; value: unknown }[],
): ToolError {
  const open = values.map(({ path }) => path)
  const [first] = values
  const correction = openPlaces(tool, args, open)
  const asked = askFor(tool, args, first)
  return toolError('invalid_value', `Question: ${sentenceOf(askedInEnglish(asked))}`, {
    resolver: 'user',
    details: {
      ...(first ? { parameter: formatPath(first.path), value: first.value } : {}),
      asked,
      constraint: 'must come from the user',
      correction,
      problems: open.map((path) => ({ errorType: 'invalid_value', parameter: formatPath(path) })),
    },
  })
}

/** The schema's own question for the value, and which value nobody gave. */
function askFor(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  missing: { path: JsonPath; value: unknown } | undefined,
): Said {
  const { parameters } = tool
  const code = 'value_not_said'
  if (!missing) return { code, values: toolValues(tool) }
  const place = placeToAskFor({ parameters, args }, missing.path)
  return { code, values: { ...placeValues(tool, missingAt(place)), value: missing.value } }
}

/** A list item uses its list's question, unless it has its own. */
function placeToAskFor(called: CalledWith, path: JsonPath): Place {
  const place = declaredPlace(called, path)
  const isItem =
    typeof path.at(-1) === 'number' && !(typeof place.schema === 'object' && place.schema.question)
  return isItem ? declaredPlace(called, path.slice(0, -1)) : place
}
