import { readFileSync, writeFileSync } from 'node:fs'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { StartError } from '../process/start-error.ts'

const blockStart = '# Integrations, written by `npx tsx scripts/integrations.ts`: change nothing below.\n'
const blockEnd = '# End of the integrations.\n'

/**
 * Writes the marked block of `config.toml`, nothing else. Returns `['supabase/config.toml']` if it was stale.
 * @throws {StartError} when the marks are missing, or an integration is configured outside of them
 */
export function refreshConfiguration(
  path: string,
  integrations: readonly Integration[],
  check: boolean,
): string[] {
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const start = text.indexOf(blockStart)
  const end = text.indexOf(blockEnd)
  if (start === -1 || end < start) {
    throw new StartError(
      `supabase/config.toml lacks the two lines that enclose the integrations. Put both back at its end:\n${blockStart}${blockEnd}`.trim(),
    )
  }
  const [before, after] = [text.slice(0, start), text.slice(end)]
  for (const { name } of integrations) refuseTwin(before + after, name)
  const block = integrations.map(({ name }) => `[functions.${name}]\nverify_jwt = false\n`).join('\n')
  const written = `${before}${blockStart}${block}${after}`
  if (written === text) return []
  if (!check) writeFileSync(path, written)
  return ['supabase/config.toml']
}

/** The Supabase CLI cannot read a file that has the same table twice. */
function refuseTwin(others: string, name: string): void {
  if (!others.split('\n').some((line) => line.trim() === `[functions.${name}]`)) return
  throw new StartError(
    `supabase/config.toml has [functions.${name}] outside of the lines that enclose the integrations. Remove it there: it is written between them.`,
  )
}
