import type { Command, Flag } from './command/command.ts'

/** What `askback --help` shows. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { argument, about }]): [string, string] => [
    argument === undefined ? name : `${name} ${argument}`,
    about,
  ])
  return `Usage: askback COMMAND\n\n${table(rows)}\n\n\`askback COMMAND --help\` shows its flags, \`askback --version\` the version.`
}

/** What `askback COMMAND --help` shows. */
export function usageOf(name: string, command: Command, flags: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(flags).map(([flag, { value, about }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}`,
    about,
  ])
  const words = ['askback', name, command.argument].filter((word) => word !== undefined)
  return `Usage: ${words.join(' ')}\n${command.about}\n\n${table(rows)}`
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
