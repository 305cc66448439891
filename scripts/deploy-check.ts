/**
 * Deploys every function with the real Supabase CLI to a fake management API on loopback and checks the upload: fails
 * on a test, a secret, more than 3 MB per function, or a missing import.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { startManagementApi } from '../support/management-api.ts'
import { installed, root, run } from './platform.ts'

/** Bundles are limited to 20 MB; this much lower limit catches a stray folder. */
const maxBytes = 3_000_000
const secretPattern =
  /\b(sk-[A-Za-z0-9_-]{24,}|sb_secret_[A-Za-z0-9_-]{8,}|sbp_[0-9a-f]{40}|eyJ[\w-]{20,}\.[\w-]{20,}\.)|-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{16}/

const { uploads, flags, env, close } = await startManagementApi()
const exitCode = await run(installed('supabase'), ['functions', 'deploy', ...flags], env)
close()

const faults: string[] = []
if (exitCode !== 0) faults.push(`The CLI ended with code ${exitCode}.`)
for (const entry of await readdir(join(root, 'supabase/functions'), { withFileTypes: true })) {
  // What has no entry is no function yet.
  if (!existsSync(join(root, 'supabase/functions', entry.name, 'index.ts'))) continue
  const files = uploads.get(entry.name)
  if (!files) {
    faults.push(`${entry.name} was not uploaded.`)
    continue
  }
  let bytes = 0
  for (const [name, text] of files) {
    bytes += Buffer.byteLength(text)
    if (/(^|\/)tests?\//.test(name) || /\.test\.ts$/.test(name))
      faults.push(`${entry.name} uploads the test ${name}.`)
    if (/(^|\/)\.env/.test(name) || secretPattern.test(text))
      faults.push(`${entry.name} uploads a secret in ${name}.`)
    if (name.endsWith('.ts')) faults.push(...missingImports(entry.name, name, text, files))
  }
  if (bytes > maxBytes) faults.push(`${entry.name} uploads ${bytes} bytes, more than ${maxBytes}.`)
  console.log(`${entry.name}: ${files.size} files, ${Math.round(bytes / 1000)} kB`)
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

/** Relative imports must be uploaded too, bare ones must be in the function's deno.json. */
function missingImports(slug: string, name: string, text: string, files: Map<string, string>): string[] {
  const imports: Record<string, string> =
    JSON.parse(files.get(`supabase/functions/${slug}/deno.json`) ?? '{}').imports ?? {}
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?!type\b)[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm),
  ]
  return specifiers.flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? ''
    if (specifier.startsWith('.')) {
      const target = normalize(join(dirname(name), specifier))
      return files.has(target) ? [] : [`${slug}: ${name} imports ${specifier}, which is not uploaded.`]
    }
    if (specifier.startsWith('node:')) return []
    const mapped = Object.keys(imports).some(
      (key) =>
        specifier === key ||
        (key.endsWith('/') ? specifier.startsWith(key) : specifier.startsWith(`${key}/`)),
    )
    return mapped
      ? []
      : [`${slug}: ${name} imports ${specifier}, which supabase/functions/${slug}/deno.json does not name.`]
  })
}
