import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { packageFolder } from '../package/package-folder.ts'
import { readRecord } from '../project/record.ts'

/** `askback web --out DIR --url URL --key KEY`: the page and its `config.json`. */
export async function run(call: Call): Promise<ExitCode> {
  const target = resolve(needed(call, 'out'))
  const url = needed(call, 'url')
  const publishableKey = needed(call, 'key')
  if (!URL.canParse(url))
    throw new Refusal(`--url must be an address, such as https://abc.supabase.co, not "${url}".`)
  if (/^sb_secret_/.test(publishableKey)) {
    throw new Refusal('--key is a secret key, and everybody can read the page. Give the publishable one.')
  }
  if (existsSync(target) && readdirSync(target).length > 0 && !existsSync(join(target, 'config.json'))) {
    throw new Refusal(`${target} holds other files. Name a new folder, or one that this command wrote.`)
  }
  cpSync(join(packageFolder, 'web'), target, { recursive: true })
  const config = { url: new URL(url).origin, publishableKey, ...namesOf(call) }
  writeFileSync(join(target, 'config.json'), `${JSON.stringify(config, null, 2)}\n`)
  console.log(
    `The web app is in ${target}. Host it anywhere as static files; unknown paths have to answer index.html.`,
  )
  return 0
}

/** What the functions are called in the project, if the command runs in one. */
function namesOf(call: Call): { functions?: Record<string, string> } {
  try {
    const record = readRecord(call.project())
    const renamed = Object.entries(record?.functions ?? {}).filter(([name, slug]) => name !== slug)
    return renamed.length > 0 ? { functions: Object.fromEntries(renamed) } : {}
  } catch (error) {
    if (error instanceof Refusal) return {}
    throw error
  }
}

function needed(call: Call, flag: string): string {
  const value = call.valueOf(flag)
  if (!value) throw new Refusal(`--${flag} is missing.`)
  return value
}
