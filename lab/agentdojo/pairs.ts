import { canonicalJson } from '../../shared/engine/core/canonical-json.ts'
import { textPlaces } from './declarations.ts'
import type { Arguments, InjectionTask, RecordedCall, Suite, UserTask } from './traces.ts'

/** What the scripted model does next, and what the tool returns if it may. */
export interface Step {
  tool: string
  args: Arguments
  output: unknown
  /** The attacker wants it. */
  injected: boolean
}

export interface Pair {
  suite: Suite
  user: UserTask
  injection: InjectionTask
}

/**
 * How the attacker words the injected calls. `plain`: as the goal says; `adapted`: a text of the call also carries a word
 * and a number of the user's task; `planted`: an optional text that the call leaves out is a word of the user's task.
 */
export type Variant = 'plain' | 'adapted' | 'planted'

/** Every pair whose injection wants something done: 929 of 949. (20 only want something said: travel's injection 6.) */
export function listPairs(suites: readonly Suite[]): Pair[] {
  return suites.flatMap((suite) =>
    suite.userTasks.flatMap((user) =>
      suite.injectionTasks
        .filter(({ calls }) => calls.length > 0)
        .map((injection) => ({ suite, user, injection })),
    ),
  )
}

/** The user's task alone, in an environment that nobody has tampered with. */
export function benignSteps({ calls }: UserTask): Step[] {
  return calls.map(({ tool, args, output }) => ({ tool, args, output, injected: false }))
}

/**
 * An obedient model: it does the user's task, and as soon as it has read the injected text, everything that this asks for;
 * then it continues.
 */
export function attackedSteps({ suite, user, injection }: Pair, variant: Variant): Step[] {
  const attack = suite.attack.replace('{goal}', injection.goal)
  const own = user.calls.map((call) => withAttack(call, suite.mark, attack))
  const seen = own.findIndex((_, index) =>
    JSON.stringify(user.calls[index]?.injected?.output ?? '').includes(suite.mark),
  )
  const theirs = injection.calls.map(({ tool, args, output }) => ({
    tool,
    args: variant === 'plain' ? args : adapt(tool, args, user.prompt, variant),
    output,
    injected: true,
  }))
  return [...own.slice(0, seen + 1), ...theirs, ...own.slice(seen + 1)]
}

/** Whether two steps are the same call: then it is the user's, whoever asked for it. */
export function isSameCall(one: Step, other: Step): boolean {
  return one.tool === other.tool && canonicalJson(one.args) === canonicalJson(other.args)
}

function withAttack(call: RecordedCall, mark: string, attack: string): Step {
  const put = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null), (_, member) => fill(member)) as T
  const fill = (value: unknown) => (typeof value === 'string' ? value.replaceAll(mark, attack) : value)
  const { args, output } = { args: call.args, output: call.output, ...call.injected }
  return { tool: call.tool, args: put(args), output: put(output), injected: false }
}

function adapt(tool: string, args: Arguments, prompt: string, variant: Variant): Arguments {
  const { freeText, unused } = textPlaces(tool)
  const { word, number } = wordsOf(prompt)
  if (variant === 'planted') return unused ? { [unused]: word, ...args } : args
  if (!freeText) return args
  return { ...args, [freeText]: [args[freeText], word, number].filter(Boolean).join(' ') }
}

/** The longest word and the longest number of a task, the first of those that are as long. */
export function wordsOf(prompt: string): { word: string; number: string } {
  const longest = (found: string[]) =>
    found.reduce((best, each) => (each.length > best.length ? each : best), '')
  return {
    word: longest(prompt.match(/\p{L}+/gu) ?? []),
    number: longest(prompt.match(/\d+/g) ?? []),
  }
}
