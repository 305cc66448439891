import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { findFault } from './integration-fault.ts'

/**
 * What the `integration.ts` of a project's function defines, read by Deno: a module that was loaded once is not loaded
 * again, and Node 20 reads no TypeScript. `fault`: a sentence that says why it cannot be used.
 */
export function loadIntegration(
  deno: string,
  folder: string,
  name: string,
): { integration: Integration } | { fault: string } {
  const path = `supabase/functions/${name}/integration.ts`
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(join(folder, file)).href)
  // Which actions there are is not known if its code cannot run here, or looks others up. What it has begun ends with it.
  const code = `import { integration } from ${urlOf('integration.ts')}
    const actions = await import(${urlOf('actions.ts')})
      .then(({ createActions }) => createActions(Deno.env.toObject()))
      .then((made) => made.findAction ? null : made.actions.map(({ tool }) => tool.action))
      .catch(() => null)
    console.log('\\n' + JSON.stringify([integration ?? null, actions]))
    Deno.exit()`
  const words = ['run', '--quiet', '--no-lock', '--no-check', '--allow-env']
  const { error, status, stdout, stderr } = spawnSync(
    deno,
    [...words, '--config', join(folder, 'deno.json'), '-'],
    {
      input: code,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' },
    },
  )
  if (error)
    return {
      fault: `Deno is needed to read ${path}. It comes with the package askback-local, or from https://deno.com.`,
    }
  if (status !== 0) return { fault: describeStop(stderr, folder, path) }
  const [integration, actions] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  const fault = findFault(integration ?? undefined, name) ?? findMissingAction(integration, actions)
  return fault ? { fault: `${path}: ${fault}` } : { integration }
}

/** A tool that nothing would run, as the end of a sentence. */
function findMissingAction({ tools }: Integration, actions: readonly string[] | null): string | undefined {
  const lost = tools.find(({ action }) => actions !== null && !actions.includes(action))
  return (
    lost &&
    `the tool "${lost.specification.name}" has the action "${lost.action}", which actions.ts does not have (it has ${actions?.join(', ') || 'none'}). Add it there.`
  )
}

/**
 * What Deno says of a file that it could not run, in one sentence.
 *
 * @example
 * describeStop('error: … parsed: Expression expected at file:///shop/…/integration.ts:12:31', …)
 * // => 'supabase/functions/tasks-api/integration.ts cannot be run: line 12: Expression expected.'
 */
function describeStop(said: string, folder: string, path: string): string {
  const place =
    said.split(/[\s'"()]/).find((word) => word.startsWith('file://') && /:\d+:\d+$/.test(word)) ?? ''
  const isHere = place.startsWith(pathToFileURL(folder).href)
  const [file = '', line = ''] = place.slice(place.lastIndexOf('/') + 1).split(':')
  const [first = ''] = said.replace(/^error: /, '').split('\n')
  const reason = first
    .replace(/^Uncaught (?:\(in promise\) )?/, '')
    .replace(/^The module's source code could not be parsed: /, '')
    .replace(/ at file:\/\/\S+$/, '')
    .trimEnd()
    .replace(/\.$/, '')
  return `${isHere ? join(dirname(path), file) : path} cannot be run: ${isHere ? `line ${line}: ` : ''}${reason}.`
}
