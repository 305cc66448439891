import { parseArgs } from 'node:util'
import type { Call, Command, Flag } from './command/command.ts'
import { Refusal } from './command/refusal.ts'
import { commands, commonFlags } from './commands.ts'
import { version } from './package/package-folder.ts'
import { findProject } from './project/find-project.ts'
import { usage, usageOf } from './usage.ts'

/**
 * Runs a command line without the program's name. Returns the exit code: 0 when it is done or there is nothing to do, 1
 * when it was refused or found something, 2 for an unknown command or flag.
 */
export async function run(words: string[]): Promise<0 | 1 | 2> {
  const [name = '--help', ...rest] = words
  if (name === '--version') return say(version)
  if (name === '--help') return say(usage(commands))
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return misused(`There is no command "${name}".`, usage(commands))
  const flags = { ...command.flags, ...commonFlags }
  let call: Call
  try {
    call = readCall(command, flags, rest)
  } catch (error) {
    // Node's own advice, after the first sentence, is about dashes.
    return misused((error as Error).message.replace(/(?<=')\. .*$/s, '.'), usageOf(name, command, flags))
  }
  if (call.isOn('help')) return say(usageOf(name, command, flags))
  try {
    const { run } = await command.load()
    return await run(call)
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    return 1
  }
}

function say(text: string): 0 {
  console.log(text)
  return 0
}

function misused(problem: string, help: string): 2 {
  console.error(`${problem}\n\n${help}`)
  return 2
}

/** @throws {Error} for words that the command does not take */
function readCall(command: Command, flags: Readonly<Record<string, Flag>>, words: string[]): Call {
  const options = Object.entries(flags).map(([name, { value, repeats = false }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: repeats }] as const
  })
  const { values, positionals } = parseArgs({
    args: words,
    options: Object.fromEntries(options),
    allowPositionals: true,
  })
  const [argument = '', ...others] = positionals
  const unknown = command.argument === undefined ? argument : others[0]
  if (unknown) throw new Error(`"${unknown}" is one word too many.`)
  if (command.argument !== undefined && argument === '' && !values.help) {
    throw new Error(`${command.argument} is missing.`)
  }
  return {
    argument,
    project: () => findProject(values.workdir as string | undefined),
    isOn: (flag) => values[flag] === true,
    valueOf: (flag) => values[flag] as string | undefined,
    valuesOf: (flag) => (values[flag] as string[] | undefined) ?? [],
  }
}
