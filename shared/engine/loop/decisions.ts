import { prepareToolCall } from '../calls/prepare-tool-call.ts'
import { isObject } from '../core/json-value.ts'
import type { Decision, Question } from '../transcript/entry.ts'
import { openQuestion } from '../transcript/fold-loop.ts'
import type { LoopState } from '../transcript/loop-state.ts'
import { fillOpenFields } from '../transcript/open-fields.ts'
import { wordQuestion } from '../transcript/question-words.ts'
import { askedOf } from '../wording/question-for-people.ts'
import { findDraftTool } from './draft-tool.ts'
import { append, type Run } from './run.ts'
import type { ResumeAgentOptions } from './run-options.ts'

type Arguments = Record<string, unknown>

/** The decisions that answer an open question; with none given, the clock's. */
export function fitDecisions(
  state: LoopState,
  { answer, approval, connection }: Pick<ResumeAgentOptions, 'answer' | 'approval' | 'connection'>,
): Decision[] {
  const approvals = approval === undefined ? [] : [approval].flat()
  const byClock = answer === undefined && approvals.length === 0 && connection === undefined
  const decisions: Decision[] = []
  const decide = (
    toolCallId: string,
    kind: Question['kind'],
    decision: Omit<Decision, 'type' | 'toolCallId'>,
  ) => {
    const question = openQuestion(state, toolCallId)
    const isNew = !decisions.some((other) => other.toolCallId === toolCallId)
    if (question?.kind === kind && isNew) decisions.push({ type: 'decision', toolCallId, ...decision })
  }
  if (answer && isObject(answer.values)) {
    decide(answer.toolCallId, 'input', { decision: 'answer', values: answer.values })
  }
  for (const { toolCallId, decision, input, reason } of approvals) {
    // What is no known decision must never count as a yes.
    if (decision !== 'approve' && decision !== 'deny' && decision !== 'draft') continue
    decide(toolCallId, 'approval', { decision, ...(input ? { input } : {}), ...(reason ? { reason } : {}) })
  }
  for (const toolCallId of state.questions.keys()) {
    if (byClock) decide(toolCallId, 'wait', { decision: 'time' })
    if (connection === true || (connection && connection.toolCallId === toolCallId)) {
      decide(toolCallId, 'connection', { decision: 'connect' })
    }
  }
  return decisions
}

/** Appends the decisions that can be carried out; in place of any other one, what is still to be asked. */
export function acceptDecisions(run: Run, decisions: readonly Decision[]): void {
  for (const decision of decisions) {
    const question = openQuestion(run.state, decision.toolCallId)
    if (!question) continue
    const carried = carryOut(run, question, decision)
    append(run, 'type' in carried ? carried : decision)
  }
}

/** The call that a decision lets go on, or the question that it leaves open. */
export function carryOut(
  run: Run,
  question: Question,
  { decision, values = {}, input }: Decision,
): { toolName: string; args: Arguments } | Question {
  const { toolName, arguments: args, open } = question
  switch (decision) {
    case 'answer':
      return prepareAgain(run, question, fillOpenFields(args, open, values))
    case 'approve':
      return input ? prepareAgain(run, question, input) : { toolName, args }
    case 'draft': {
      const whole = input ? prepareAgain(run, question, input) : { toolName, args }
      if ('type' in whole) return whole
      const draft = findDraftTool(toolName, whole.args, run.agent.tools)
      return (
        draft ?? {
          ...withoutWords(question),
          ...wordQuestion({
            code: 'no_draft',
            because: 'This cannot be saved as a draft here.',
            asked: 'Should it be done, or not?',
          }),
        }
      )
    }
    case 'deny':
    case 'connect':
    case 'time':
      return { toolName, args }
  }
}

/** Prepares a call that a person changed. Where it does not fit, the same question asks about that now. */
function prepareAgain(
  run: Run,
  question: Question,
  args: Arguments,
): { toolName: string; args: Arguments } | Question {
  const prepared = prepareToolCall({
    name: question.toolName,
    rawArguments: JSON.stringify(args),
    tools: run.agent.tools,
    slots: { shown: run.state.slots },
  })
  if (prepared.ok) return { toolName: question.toolName, args: prepared.args }
  const { errorType, details } = prepared.error
  // The agent has lost the tool: whoever was asked is told so, and the call of another tool is not theirs to make.
  if (errorType === 'tool_not_found') return { toolName: question.toolName, args }
  const correction = question.kind === 'input' ? details.correction : undefined
  return {
    ...withoutWords(question),
    ...wordQuestion(askedOf(prepared.error)),
    ...(correction ? { arguments: correction.arguments, open: correction.open } : {}),
  }
}

/** A question without what it asked: it asks something else now. */
function withoutWords({ codeValues: _, hint: __, alsoNeeded: ___, ...question }: Question): Question {
  return question
}
