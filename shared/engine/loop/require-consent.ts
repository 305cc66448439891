import { type JsonPath, parsePath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { withoutMark } from '../core/question-mark.ts'
import { type ToolError, toolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { judgeProvenance, type ProvenanceVerdict } from '../provenance/check-provenance.ts'
import { sourcedValues } from '../provenance/sourced-values.ts'
import { schemaAt } from '../schema/resolve-schema.ts'
import { openPlaces } from '../tools/open-places.ts'
import { projectEvidence } from '../transcript/evidence.ts'
import { approvalQuestion } from '../wording/approval-question.ts'
import { questionFor } from '../wording/question-for.ts'
import type { QuestionDraft } from './ask.ts'
import { questionAbout } from './ask-people.ts'
import { describeEarlier } from './earlier-words.ts'
import { describeInvocation } from './invocation.ts'
import type { EarlierWrite } from './ledger.ts'
import { originReason } from './origin-reason.ts'
import { findRepetition, type Repetition } from './repetition.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { Run } from './run.ts'

/** Whether a prepared call may run now: undefined, or the outcome that asks somebody first. */
export async function requireConsent(
  run: Run,
  call: RoundCall,
  args: Record<string, unknown>,
): Promise<Outcome | undefined> {
  const { specification } = call
  if (!specification || call.call.approved) return undefined
  const origin = judge(run, specification, args)
  if (origin.verdict === 'ask') {
    return { status: 'rejected', result: mustComeFromUser(specification, args, origin.values), tries: 0 }
  }
  const found = findApproval(run, call, args, origin)
  if (!found) return undefined
  const question = await tellWhatWasDone(run, call, found)
  // What is missing is said first: nobody approves what cannot be done.
  const missing = run.tools.get(specification.name)?.requirement?.(args)
  return missing ? { status: 'failed', result: missing, tries: 0 } : { status: 'parked', question }
}

/** The approval that a call needs: for values that the user did not say, for doing it twice, or always. */
function findApproval(
  run: Run,
  call: RoundCall,
  args: Record<string, unknown>,
  origin: ProvenanceVerdict,
): QuestionDraft | undefined {
  const { question, ...approval } = describeApproval(run, call.call.toolName, args, origin)
  if (origin.verdict === 'approve') return questionAbout('approval', call, question, approval)
  const repetition = findRepetition(run.state, call, args)
  if (repetition) return askRepetition(call, repetition)
  if (!waitsForApproval(call.specification, args)) return undefined
  return questionAbout('approval', call, question, approval)
}

/** What is asked about a call that may only run when somebody has looked at it, with where its values come from. */
export function describeApproval(
  run: Run,
  toolName: string,
  args: Record<string, unknown>,
  origin?: ProvenanceVerdict,
): Pick<QuestionDraft, 'question' | 'reason' | 'approves'> {
  const tool = run.specifications.get(toolName)
  const judged = origin ?? (tool && judge(run, tool, args))
  const named = tool ?? { name: toolName }
  if (judged?.verdict !== 'approve') return { question: askConsent(named, args), reason: 'consent' }
  return {
    question: askConsent(named, args, originReason(judged.values, run.specifications)),
    reason: 'provenance',
    approves: judged.values.map(({ path, value }) => ({ path, value })),
  }
}

/** Whether the tool's own rule makes this call wait, all its calls or those with certain values. */
function waitsForApproval(
  { approval }: Pick<ToolSpecification, 'approval'> = {},
  args: Record<string, unknown>,
): boolean {
  if (approval === undefined || typeof approval === 'string') return approval === 'always'
  return Object.entries(approval).some(([name, values]) => values.includes(args[name]))
}

/** Whether the values that must come from the user did. */
function judge(run: Run, tool: ToolSpecification, args: Record<string, unknown>): ProvenanceVerdict {
  if (sourcedValues(tool.parameters, args).length === 0) return { verdict: 'run' }
  const evidence = projectEvidence(run.entries, run.specifications, run.files)
  return judgeProvenance(tool, args, evidence, run.user)
}

/** One question is enough: who is asked anyway hears in it what of this kind was done, and when. */
export async function tellWhatWasDone(
  run: Run,
  call: RoundCall,
  question: QuestionDraft,
): Promise<QuestionDraft> {
  if (call.call.effect !== 'write') return question
  const same = await run.ledger.findSame?.(describeInvocation(run, call)).catch(() => undefined)
  if (!same) return question
  const again = askAgain(run, call, same)
  const { approves, repetition = 0 } = question
  return {
    ...again,
    repetition: Math.max(again.repetition ?? 0, repetition),
    // Why it is asked anyway stays said.
    ...(approves
      ? { approves, question: `Question: ${tellEarlier(run, call, same)} ${withoutMark(question.question)}` }
      : {}),
  }
}

/** The same write was, or may have been, carried out before: the user decides about one more. */
export function askRepetition(call: RoundCall, { repetition, uncertain }: Repetition): QuestionDraft {
  const before = uncertain
    ? 'Something like this may have been done already, but no confirmation arrived.'
    : 'Something like this was already done for this message.'
  return questionAbout('approval', call, askToRun(call, `${before} Should it be done again? `), {
    reason: 'repetition',
    repetition,
  })
}

/** A write that means the same is in the ledger: the user hears what that was, and when. */
export function askAgain(run: Run, call: RoundCall, earlier: EarlierWrite): QuestionDraft {
  const done = tellEarlier(run, call, earlier)
  return questionAbout('approval', call, askToRun(call, `${done} Should it be done again? `), {
    reason: 'repetition',
    repetition: earlier.nextRepetition ?? call.call.repetition ?? 0,
  })
}

function tellEarlier(run: Run, { specification, call }: RoundCall, earlier: EarlierWrite): string {
  const { arguments: args, at, status } = earlier
  return describeEarlier(specification ?? { name: call.toolName }, args, at, status, run.user?.timezone)
}

function askToRun({ specification, call, args = {} }: RoundCall, reason: string): string {
  return askConsent(specification ?? { name: call.toolName }, args, reason)
}

/** The question of an approval; `reason` stands before it. */
function askConsent(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'confirm'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  reason = '',
): string {
  const sourced = tool.parameters ? sourcedValues(tool.parameters, args) : []
  const names = [...new Set(sourced.map(({ path }) => String(parsePath(path)?.[0] ?? path)))]
  return `Question: ${reason}${approvalQuestion(tool, args, names)}`
}

/** A value nobody said: that place is open, the rest of the call is kept. */
function mustComeFromUser(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  values: { path: string; value: unknown }[],
): ToolError {
  const open = values.map(({ path }) => path)
  const [first] = values
  const correction = openPlaces(tool, args, open)
  return toolError('invalid_value', askFor(tool, first), {
    resolver: 'user',
    details: {
      ...(first ? { parameter: first.path, value: first.value } : {}),
      constraint: 'must come from the user',
      ...(correction ? { correction } : {}),
      problems: open.map((parameter) => ({ errorType: 'invalid_value', parameter })),
    },
  })
}

/** The schema's own question for the value, and which value nobody said. */
function askFor(
  { parameters }: ToolSpecification,
  missing: { path: string; value: unknown } | undefined,
): string {
  if (!missing) return 'Question: What should I use?'
  const path = askedPath(missing.path, parameters)
  const place = schemaAt(parameters, path)
  const question = questionFor(
    { path, kind: 'missing', keyword: 'required', place, value: undefined },
    parameters,
  )
  return `${question} You have not told me ${JSON.stringify(missing.value)}.`
}

/** An item of a list is asked for as the list is, unless it has a question of its own. */
function askedPath(written: string, parameters: JsonSchema): JsonPath {
  const path = parsePath(written) ?? []
  const place = schemaAt(parameters, path)
  const isItem = typeof path.at(-1) === 'number' && !(typeof place === 'object' && place.question)
  return isItem ? path.slice(0, -1) : path
}
