import { prepareToolCall } from '../calls/prepare-tool-call.ts'
import { callKey, canonicalJson } from '../core/canonical-json.ts'
import { isObject } from '../core/json-value.ts'
import { type ToolError, toolError } from '../core/tool-error.ts'
import { findDraftTool } from './draft-tool.ts'
import { createToolCallId } from './identifiers.ts'
import { fillOpenFields } from './open-fields.ts'
import type { RoundCall } from './round-call.ts'
import type { ParkedCall, Run } from './run.ts'
import type { Answer, Approval, ResumeAgentOptions } from './run-options.ts'

type Arguments = Record<string, unknown>

/** What a decision says to the model, in the user's name, and the call that goes on because of it. */
interface Decision {
  message: string
  call?: RoundCall
}

/** Everything decided at once. */
interface Decided {
  message: string
  calls: RoundCall[]
}

/** Takes the decided calls out of the waiting ones; undefined when no decision fits any of them. */
export function applyDecisions(run: Run, options: ResumeAgentOptions): Decided | undefined {
  const approvals = options.approval === undefined ? [] : [options.approval].flat()
  const byClock = options.answer === undefined && approvals.length === 0 && options.connection === undefined
  const decisions: Decision[] = []
  const { memory } = run
  memory.parked = memory.parked.filter((parked) => {
    const decision = decide(run, parked, options, approvals, byClock)
    if (decision) decisions.push(decision)
    return !decision
  })
  if (decisions.length === 0) return undefined
  if (!byClock) memory.rounds = 0
  return {
    message: [...new Set(decisions.map(({ message }) => message))].join('\n'),
    calls: decisions.flatMap(({ call }) => call ?? []),
  }
}

function decide(
  run: Run,
  parked: ParkedCall,
  { answer, connection }: ResumeAgentOptions,
  approvals: readonly Approval[],
  byClock: boolean,
): Decision | undefined {
  switch (parked.type) {
    case 'input':
      return answer?.toolCallId === parked.toolCallId ? fillIn(run, parked, answer) : undefined
    case 'approval': {
      const approval = approvals.find(({ toolCallId }) => toolCallId === parked.toolCallId)
      return approval && decideApproval(run, parked, approval)
    }
    case 'connection': {
      const meant = connection === true || connection?.toolCallId === parked.toolCallId
      return meant ? goOn(run, parked, 'The connection is ready. Go on.') : undefined
    }
    case 'wait':
      return byClock ? goOn(run, parked, 'Go on.') : undefined
  }
}

function goOn(run: Run, parked: ParkedCall, message: string): Decision {
  if (parked.toolCallId === '') return { message }
  return { message, call: callFrom(run, parked, parked.args, { approved: true }) }
}

/** Completes a form. Values that do not fit leave it open, with what is wrong as the new question. */
function fillIn(run: Run, parked: ParkedCall, { values }: Answer): Decision | undefined {
  if (!isObject(values)) return undefined
  const filled = fillOpenFields(parked.args, parked.open, values)
  const args = prepareAgain(run, parked, filled)
  if (!args) return undefined
  const message = `Here is what you asked for: ${JSON.stringify(values)}`
  const attempt = Math.min(parked.attempt + 1, run.limits.maxAttempts)
  return { message, call: callFrom(run, { ...parked, attempt }, args) }
}

function decideApproval(run: Run, parked: ParkedCall, approval: Approval): Decision | undefined {
  const { decision, input, reason } = approval
  if (decision === 'deny') {
    const because = reason ? ` The reason: ${reason}` : ''
    const again = parked.uncertain ? ' again' : ''
    const unknown = parked.uncertain ? ' Whether it was carried out the first time is not known.' : ''
    const sentence = `The user declined ${parked.toolName}${again}.${because}${unknown}`
    const denial = toolError('approval_denied', sentence)
    return {
      message: `No, do not call ${parked.toolName}${again}.${because}`,
      call: callFrom(run, parked, parked.args, { denial }),
    }
  }
  // What is no known decision must never count as a yes.
  if (decision !== 'approve' && decision !== 'draft') return undefined
  const args = input ? prepareAgain(run, parked, input) : parked.args
  if (!args) return undefined
  if (decision === 'draft') return saveDraft(run, parked, args)
  const said = valuesSaid(parked, args)
  const message = `Yes, call ${parked.toolName}${said ? ` with ${JSON.stringify(said)}` : ''}.`
  return { message, call: callFrom(run, parked, args, { approved: true }) }
}

/** What the user said by approving: what they edited, and the values they were asked about. */
function valuesSaid(parked: ParkedCall, args: Arguments): Arguments | undefined {
  const edited = Object.entries(args).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(parked.args[name]),
  )
  const approved = (parked.approves ?? []).map(({ path, value }) => [path, value] as const)
  const said = Object.fromEntries([...approved, ...edited])
  return Object.keys(said).length > 0 ? said : undefined
}

function saveDraft(run: Run, parked: ParkedCall, args: Arguments): Decision | undefined {
  const draft = findDraftTool(parked.toolName, args, run.specifications)
  if (!draft) {
    parked.question = `Question: ${parked.toolName} cannot be saved as a draft here. Should it run, or not?`
    return undefined
  }
  return {
    message: `Do not call ${parked.toolName}; save it as a draft.`,
    call: callFrom(run, { ...parked, toolName: draft.toolName, repetition: 0 }, draft.args, {
      approved: true,
    }),
  }
}

/** Prepares a call that a person changed. Where it does not fit, the parked call asks about that now. */
function prepareAgain(run: Run, parked: ParkedCall, args: Arguments): Arguments | undefined {
  const prepared = prepareToolCall({
    name: parked.toolName,
    rawArguments: JSON.stringify(args),
    tools: run.specifications,
    slots: { shown: run.slots },
  })
  if (prepared.ok) return prepared.args
  askAgain(parked, prepared.error)
  return undefined
}

function askAgain(parked: ParkedCall, error: ToolError): void {
  parked.question = error.error
  const { correction } = error.details
  if (parked.type !== 'input' || !correction) return
  parked.args = correction.arguments
  parked.open = correction.open
}

function callFrom(
  run: Run,
  parked: ParkedCall,
  args: Arguments,
  decided: { approved?: boolean; denial?: ToolError } = {},
): RoundCall {
  const specification = run.tools.get(parked.toolName)?.specification
  const intent = run.memory.intents.find(({ number }) => number === parked.intent)
  const gone = `${parked.toolName} is no longer available to this agent.`
  const denial = decided.denial ?? (specification ? undefined : toolError('execution_error', gone))
  return {
    toolCallId: parked.toolCallId,
    transcriptId: createToolCallId(),
    name: parked.toolName,
    rawArguments: JSON.stringify(args),
    toolName: parked.toolName,
    intendedTool: parked.toolName,
    key: callKey(parked.toolName, args),
    ...(specification ? { specification } : {}),
    effect: specification?.effect ?? 'write',
    input: args,
    args,
    refusal: undefined,
    repairs: parked.repairs,
    ...(intent ? { intent } : {}),
    intentNumber: parked.intent,
    attempt: parked.attempt,
    repeated: false,
    repetition: parked.repetition,
    approved: decided.approved ?? false,
    ...(denial ? { denial } : {}),
  }
}
