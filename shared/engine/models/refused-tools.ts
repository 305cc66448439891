import type { ToolSpecification } from '../core/tool-specification.ts'
import { CallFailure } from './protocol/call-failure.ts'
import type { LeftOutTool, ModelReply, ModelRequest } from './protocol/model-client.ts'
import { namedTools, readMostTools, whyRefused } from './protocol/named-tools.ts'
import { plainestRules, type ToolRules } from './protocol/tool-rules.ts'
import { wireKeys } from './protocol/wire-keys.ts'
import { type RulesOf, wireTool } from './protocol/wire-tools.ts'
import { definitionId, type ToolKnowledge } from './tool-knowledge.ts'

/** Requests for one message, the refused ones among them. */
const mostRequests = 7

/** The tools of one request, and how they are written. */
export interface Offer {
  tools: readonly ToolSpecification[]
  rulesOf: RulesOf
  /** The others, and why. */
  left: readonly LeftOutTool[]
}

export interface Trial {
  request: ModelRequest
  rules: ToolRules
  /** Names on the wire. */
  names: ReadonlyMap<string, string> | undefined
  /** Asks the model. */
  ask(offer: Offer): Promise<ModelReply>
  /** Whether the server takes these definitions; ends the call when the model begins to write. */
  probe(offer: Offer): Promise<CallFailure | undefined>
  /** A tool was found to be refused. */
  report(found: LeftOutTool): void
}

/** Not found yet which one of several it is. */
const unknownWhich = 'the server does not accept one of several tools, and which one is not known yet'

/** The tools that a model's server takes, as far as is known. */
export function chooseOffer(request: ModelRequest, rules: ToolRules, known: ToolKnowledge): Offer {
  const { plainest, refused, suspects } = known
  const most = Math.min(known.most, rules.tools ?? Number.POSITIVE_INFINITY)
  const isPlain = plainest !== 'all' && plainest.size === 0
  // Nearly always: no definition has to be told from another.
  if (isPlain && refused.size === 0 && suspects.size === 0 && request.tools.length <= most)
    return { tools: request.tools, left: [], rulesOf: () => rules }
  const left: LeftOutTool[] = []
  const tools = request.tools.filter((tool) => {
    const id = definitionId(tool)
    const why = refused.get(id) ?? (suspects.has(id) ? unknownWhich : undefined)
    if (why !== undefined) left.push({ name: tool.name, why })
    return why === undefined
  })
  const cut = tools.length > most ? cutMiddle(tools, most) : tools
  for (const { name } of tools) {
    if (!cut.some((tool) => tool.name === name))
      left.push({ name, why: `the server accepts at most ${most} tools` })
  }
  const isPlainest = (tool: ToolSpecification) => plainest === 'all' || plainest.has(definitionId(tool))
  return { tools: cut, left, rulesOf: (tool) => (isPlainest(tool) ? plainestRules : rules) }
}

/** The last one may be the search for the others. */
function cutMiddle(tools: readonly ToolSpecification[], most: number): ToolSpecification[] {
  return most < 1 ? [] : [...tools.slice(0, most - 1), ...tools.slice(-1)]
}

/**
 * Asks again after a refusal of definitions: in the plainest form, with as many as it takes, without those that it names,
 * else without the one that is found by halves. What was found counts from then on. Throws the refusal if its definitions
 * were not the reason.
 */
export async function askWithoutRefused(
  first: CallFailure,
  trial: Trial,
  known: ToolKnowledge,
): Promise<ModelReply> {
  const { request, names } = trial
  known.message = lastMessage(request)
  const before = { ...known, refused: new Map(known.refused) }
  let left = mostRequests - 1
  let failure = first
  let hasAccepted = false
  const offer = () => chooseOffer(request, trial.rules, known)
  const idOf = (name: string) => {
    const tool = request.tools.find((one) => one.name === name)
    return tool ? definitionId(tool) : ''
  }

  function refuse(tools: readonly ToolSpecification[]): void {
    for (const tool of tools) known.refused.set(definitionId(tool), whyRefused(failure.said ?? '', tool))
  }
  function finish(reply: ModelReply, asked: Offer): ModelReply {
    for (const tool of asked.tools) known.taken.add(definitionId(tool))
    for (const tool of asked.left) {
      if (tool.why !== unknownWhich && !before.refused.has(idOf(tool.name))) trial.report(tool)
    }
    return reply
  }
  /** A reply, or undefined if the definitions were refused again. */
  async function askOnce(asked: Offer): Promise<ModelReply | undefined> {
    left--
    try {
      return finish(await trial.ask(asked), asked)
    } catch (cause) {
      if (!(cause instanceof CallFailure)) throw cause
      if (!cause.isAboutTools) throw cause
      failure = cause
      return undefined
    }
  }
  /** What nothing has shown to be true is forgotten. */
  function giveUp(): never {
    if (!hasAccepted) Object.assign(known, before)
    throw first
  }

  /** A change of the request that the refusal asks for; false if it asks for none. */
  function heed(): boolean {
    const { tools, rulesOf } = offer()
    const said = failure.said ?? ''
    const most = readMostTools(said)
    if (most !== undefined && most > 0 && most < tools.length) {
      known.most = most
      return true
    }
    const named = namedTools(said, tools, names)
    const suspected = named.length > 0 ? named : tools
    const isPlainest = known.plainest === 'all'
    const plainer = isPlainest ? [] : suspected.filter((tool) => isPlainer(tool, rulesOf(tool), names))
    if (plainer.length === 0) refuse(named)
    else if (named.length === 0) known.plainest = 'all'
    // What is odd about the one that was named may be odd about others, which the server would name next.
    else
      known.plainest = new Set([...known.plainest, ...[...named, ...tools.filter(isOdd)].map(definitionId)])
    return plainer.length > 0 || named.length > 0
  }

  while (left > 1 && heed()) {
    const reply = await askOnce(offer())
    if (reply) return reply
  }

  // All of them were taken before: the server has changed.
  if (offer().tools.every((tool) => known.taken.has(definitionId(tool)))) known.taken.clear()
  const isAccepted = (tool: ToolSpecification) => known.taken.has(definitionId(tool))
  let accepted = offer().tools.filter(isAccepted)
  let open = offer().tools.filter((tool) => !isAccepted(tool))
  const among = (tools: readonly ToolSpecification[]): Offer => {
    const { rulesOf, left: out } = offer()
    const others = offer().tools.filter((tool) => !tools.includes(tool))
    return { tools, rulesOf, left: [...out, ...others.map(({ name }) => ({ name, why: unknownWhich }))] }
  }
  // Words that name nothing may mean anything: without tools it shows.
  if (failure.isAboutTools === 'perhaps' && left > 1) {
    left--
    if (await trial.probe(among(accepted))) giveUp()
    hasAccepted = accepted.length > 0
  }
  while (open.length > 0) {
    let suspects = open
    while (suspects.length > 1 && left > 1) {
      const half = suspects.slice(0, Math.floor(suspects.length / 2))
      const rest = suspects.slice(half.length)
      left--
      const refusal = await trial.probe(among([...accepted, ...half]))
      if (refusal && !refusal.isAboutTools) throw refusal
      if (refusal) failure = refusal
      else accepted = [...accepted, ...half]
      hasAccepted ||= !refusal
      suspects = refusal ? half : rest
    }
    if (suspects.length > 1) break
    refuse(suspects)
    open = open.filter((tool) => !suspects.includes(tool) && !accepted.includes(tool))
    if (left < 1) break
    const reply = await askOnce(offer())
    if (reply) return reply
    if (left < 2) break
  }
  for (const tool of accepted) known.taken.add(definitionId(tool))
  if (left < 1) giveUp()
  const some = among(accepted)
  const reply = await askOnce(some)
  if (!reply) giveUp()
  for (const tool of request.tools) {
    const id = definitionId(tool)
    if (!some.tools.includes(tool) && !known.refused.has(id)) known.suspects.add(id)
  }
  return reply
}

/** Whether a definition breaks a rule that some provider has. */
function isOdd({ description, parameters }: ToolSpecification): boolean {
  const { keys, description: longest } = plainestRules
  return description.length > longest || wireKeys(parameters, keys) !== undefined
}

/** Whether the plainest form of a definition is another one than was sent. */
function isPlainer(tool: ToolSpecification, rules: ToolRules, names: Trial['names']): boolean {
  return JSON.stringify(wireTool(tool, plainestRules, names)) !== JSON.stringify(wireTool(tool, rules, names))
}

/** What tells one message from the next. */
export function lastMessage({ messages }: ModelRequest): string {
  return JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '')
}
