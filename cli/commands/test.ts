import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { findProjectDeno } from '../package/local-package.ts'
import { requireRecord } from '../project/record.ts'

/** Of a test: its provider is on this machine, and its settings are variables. */
const flags = ['--no-lock', '--no-check', '--allow-env', '--allow-net=127.0.0.1']

/** `askback test`: the tests of the project's own integrations, in Deno, one after the other. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const { own } = requireRecord(project)
  if (own.length === 0)
    throw new Refusal(
      'This project has no integration of its own. `npx askback new-integration NAME` makes one.',
    )
  const deno = findProjectDeno(project)
  const codes = own.map((name) => {
    const folder = join('supabase/functions', name)
    const { error, status } = spawnSync(
      deno,
      ['test', ...flags, '--config', join(folder, 'deno.json'), folder],
      {
        cwd: project,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' },
      },
    )
    if (error)
      throw new Refusal(
        'Deno is needed to run the tests. It comes with the package askback-local, or from https://deno.com.',
      )
    return status
  })
  return codes.every((code) => code === 0) ? 0 : 1
}
