import type { z } from 'zod'
import { importTools } from '../../../shared/integrations/mcp/import-tools.ts'
import { plainTitle } from '../../../shared/integrations/text/plain-words.ts'
import { type ToolsAnswer, toolsAnswer, toolsRoute } from '../../../shared/server/server-calls/server-call.ts'
import { askClient } from './ask-client.ts'
import type { SettingsDependencies } from './dependencies.ts'
import type { ServerReading } from './stored-servers.ts'
import { acceptAll, compareRows, type ToolRow } from './tool-rows.ts'

export type Listed = Extract<ToolsAnswer, { kind: 'listed' }>

const longestTitle = 80

/** What a server answers right now. */
export async function askServer(
  userId: string,
  server: { url: string; headers?: Record<string, string> | undefined },
  dependencies: SettingsDependencies,
): Promise<z.output<typeof toolsAnswer>> {
  return await askClient(toolsRoute, { userId, server }, toolsAnswer, dependencies)
}

/** What a server calls itself, in plain words. */
export function titleOf({ title, name }: Listed): string {
  return plainTitle(title, longestTitle) || plainTitle(name, longestTitle)
}

/** Why a server is not ready; it has its tools all the same. */
export function readAbsence(answer: Exclude<ToolsAnswer, Listed>): ServerReading {
  const { kind, said } = answer
  if (kind === 'unusable') return { status: 'unreachable', said: [said] }
  return { status: 'sign_in', said: [said], challenge: answer.challenge }
}

/**
 * What a server lists, beside what it had. `rows` undefined: nobody has accepted anything yet, so all of it is. `taken`: the
 * names of all other tools.
 */
export async function readListing(
  listed: Listed,
  { name, rows, taken }: { name: string; rows: readonly ToolRow[] | undefined; taken: readonly string[] },
): Promise<ServerReading> {
  // A tool that is gone keeps its name.
  const there = new Set(listed.tools.map((tool) => tool.name))
  const kept = (rows ?? []).filter((row) => !there.has(row.foreignName)).map((row) => row.name)
  const { total } = listed
  const { tools, notes } = await importTools(listed, { server: name, taken: [...taken, ...kept], total })
  return {
    status: 'ready',
    said: notes,
    title: titleOf(listed),
    protocol: listed.protocol,
    listed: true,
    tools: rows ? await compareRows(rows, tools) : await acceptAll(tools),
  }
}

/** Whether a server that is of no use now may be of use later. */
export function mayCome({ said }: Extract<ToolsAnswer, { kind: 'unusable' }>): boolean {
  const { why, status } = said.values ?? {}
  if (why === 'status') return status === 429 || Number(status) >= 500
  return why === 'unreachable' || why === 'slow'
}
