import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import { clipText } from '../../shared/engine/core/clip-text.ts'
import type { ChatMessage } from '../../shared/engine/models/protocol/model-client.ts'
import { asSent } from '../../shared/engine/wording/corrected-call.ts'
import { plainLine } from '../../shared/words/quoted-value.ts'
import {
  countDone,
  type DemoAnswer,
  type DemoCall,
  type DemoItem,
  findCorrectedCall,
  findOpenItem,
  hasCalled,
  hasFailed,
  hasSpoken,
  isFailure,
  listFileIds,
  listRound,
  listSteps,
  listUserTexts,
  readSentence,
  type Step,
} from './conversation.ts'
import { repeatsItself, type Skill, skills } from './skills.ts'

export const demoNotice =
  '(This is the built-in demo model: a few rules, not a language model. To use a real one, add a model key.)'

/**
 * Decides by rules, from nothing but the messages and tools of the request. Its first reply in a conversation says that
 * it is a demo.
 */
export function answerAsDemo(
  messages: readonly ChatMessage[],
  tools: readonly ChatCompletionFunctionTool[],
): DemoAnswer {
  const answer = decide(
    messages,
    tools.map((tool) => tool.function.name),
  )
  if ('calls' in answer || hasSpoken(messages)) return answer
  return { text: `${answer.text}\n\n${demoNotice}` }
}

function decide(messages: readonly ChatMessage[], tools: readonly string[]): DemoAnswer {
  const all = listUserTexts(messages)
  const decision = readDecision(all.at(-1) ?? '')
  if (decision === 'refused')
    return {
      text: wasOneOfSeveral(messages) ? 'OK, I left that out.' : confirmRefusal(all.at(-1) ?? '', messages),
    }
  if (decision === 'draft') return { text: 'I kept it as a draft.' }
  // A message that only reports a decision is not a request: the one before it goes on.
  const texts = all.filter((text) => readDecision(text) === undefined)
  const steps = listSteps(messages)
  const newest = texts.at(-1) ?? ''
  const open = findOpenItem(messages)
  // A decision is about its call, and other words may be about what is open.
  const earlier =
    decision === undefined ? findRequest(texts.slice(0, -1), open?.call) : findRequest(texts, steps[0]?.call)
  const isAnswer = open?.question !== undefined && earlier?.skill.answers?.(newest) === true
  const goesOn = decision !== undefined || isAnswer
  const asked = (goesOn ? undefined : findRequest([newest])) ?? earlier
  if (!asked || (!goesOn && isHelp(newest))) return { text: describeAbilities(tools) }
  const { skill, request } = asked
  if (asked === earlier && !goesOn) return { text: describeState(request, open, messages) }
  const since = texts.slice(texts.lastIndexOf(request))
  const said = skill.values(request, since)
  const last = steps.at(-1)
  const round = listRound(messages)
  if (round.length > 1) return { text: describeRound(round, skill) }
  if (last && isFailure(last.result)) return correct(last, said, tools)
  // The engine knows the call that waits, whatever has been asked for since.
  if (!last && isAnswer && open.call) return fillCall(open.call, said, tools) ?? { text: open.question ?? '' }
  const offered = skill.tools.filter((name) => tools.includes(name))
  // "With Gmail" picks the tool whose name begins with it.
  const tool =
    offered.find((name) => request.toLowerCase().includes(name.split('_', 1)[0] ?? '')) ?? offered[0]
  if (!tool) return { text: `I can’t ${skill.deed} here: this agent has no tool for it.` }
  return skill.next({
    request,
    texts: since,
    fileIds: listFileIds(messages),
    tool,
    isFirst: !hasCalled(messages, tool),
    timesDone: countDone(messages, tool),
    steps: steps.filter(({ result }) => !isFailure(result)),
  })
}

/** How the engine tells a model what a person has decided (`decision-words.ts`); undefined for the user's own words. */
function readDecision(text: string): 'refused' | 'draft' | 'goes on' | undefined {
  if (/^(?:No, do not call \w+|Go on without this: )/.test(text)) return 'refused'
  if (/^Do not call \w+; save it as a draft\.$/.test(text)) return 'draft'
  const goesOn = /^(?:Yes, call \w+|Here is what you asked for: \{|(?:The connection is ready\. )?Go on\.$)/
  return goesOn.test(text) ? 'goes on' : undefined
}

/** Whether the others of several calls may have been done. */
function wasOneOfSeveral(messages: readonly ChatMessage[]): boolean {
  return messages.some((one) => one.role === 'assistant' && (one.tool_calls?.length ?? 0) > 1)
}

/** What was denied or skipped was not done. */
function confirmRefusal(decision: string, messages: readonly ChatMessage[]): string {
  const [, tool = '', again = ''] = /do not call (\w+)( again)?/.exec(decision) ?? []
  const skill = skills.find(({ tools }) => tools.includes(tool))
  const isSecond = listUserTexts(messages).some(repeatsItself) && countDone(messages, tool) > 0
  return `OK, I didn’t ${skill?.deed ?? 'do it'}${isSecond ? ' again' : again}.`
}

interface SkillRequest {
  skill: Skill
  request: string
}

/** The newest request, of those for a call if there are any: best one that gives a value of it. */
function findRequest(texts: readonly string[], call?: DemoCall): SkillRequest | undefined {
  const all = texts.flatMap((request): SkillRequest[] => {
    const skill = skills.find(({ asks }) => asks(request))
    return skill ? [{ skill, request }] : []
  })
  const fitting = all.filter(({ skill }) => call !== undefined && skill.tools.includes(call.name))
  const givesValue = ({ skill, request }: SkillRequest) =>
    Object.entries(skill.values(request, [request])).some(([name, value]) => value === call?.arguments[name])
  return fitting.findLast(givesValue) ?? fitting.at(-1) ?? all.at(-1)
}

/** What `describeState` proposes to ask. */
function isHelp(said: string): boolean {
  return /\bwhat (?:else )?can you do\b/i.test(said)
}

/** How it stands with a request, for a message that is neither an answer about it nor another request. */
function describeState(
  request: string,
  open: DemoItem | undefined,
  messages: readonly ChatMessage[],
): string {
  const name = `“${clipText(plainLine(request), 80)}”`
  // Words of a client's history stay as they are: named again each time, they would grow.
  if (open?.question)
    return open.call
      ? `I still need an answer for ${name}; if you no longer want it, skip it. ${open.question}`
      : open.question
  if (open?.isConnection)
    return `${name} is still waiting for you. Connect what it needs on its card, or skip it.`
  if (open)
    return `${name} is still waiting for you. Use the buttons on its card to approve, edit or deny it.`
  if (hasFailed(messages)) return `I have put ${name} aside. If you still want it, ask me for it again.`
  return `That is all I can do for ${name}. Ask me for something else, or “What can you do?”`
}

/** What became of each of several calls. */
function describeRound(round: readonly Step[], { tell }: Skill): string {
  return round
    .map((step) => (tell === undefined || isFailure(step.result) ? readSentence(step.result) : tell(step)))
    .join('\n\n')
}

/** Sends the corrected call if the conversation holds its open values; otherwise passes the question on. */
function correct(
  { call, result }: Step,
  said: Record<string, unknown>,
  tools: readonly string[],
): DemoAnswer {
  const question = readSentence(result)
  const correction = findCorrectedCall(result)
  if (!correction) return { text: question }
  const name = tools.find((name) => correction.before.includes(` ${name} `)) ?? call.name
  const filled = fillCall({ name, arguments: correction.arguments }, said, tools)
  // The same call would only get the same question again.
  const isSame = JSON.stringify(filled?.calls[0].arguments) === JSON.stringify(call.arguments)
  return filled === undefined || isSame ? { text: question } : filled
}

/** A call with its slots filled from the user's words; undefined if the user did not say them, or without the tool. */
function fillCall(
  { name, arguments: shown }: DemoCall,
  said: Record<string, unknown>,
  tools: readonly string[],
): { calls: [DemoCall] } | undefined {
  const filled = Object.entries(shown).map(([slot, value]) => [slot, hasSlot(value) ? said[slot] : value])
  const isFull = tools.includes(name) && filled.every(([, value]) => value !== undefined)
  return isFull ? { calls: [{ name, arguments: Object.fromEntries(filled) }] } : undefined
}

function hasSlot(value: unknown): boolean {
  if (typeof value === 'string') return value !== asSent && /^<[^<>]+>$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSlot)
}

function describeAbilities(tools: readonly string[]): string {
  const known = skills.filter((skill) => skill.tools.some((name) => tools.includes(name)))
  if (known.length === 0) return 'I am only a demo, and this agent has no tool that I know.'
  const tries = known.map(({ suggestion }) => `- \`${suggestion}\``)
  return `I only know a few things. Try one of these:\n\n${tries.join('\n')}\n\nLeave out the address of an email to see how I ask for it.`
}
