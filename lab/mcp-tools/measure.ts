import { seededRandom } from '../../support/seeded-random.ts'
import { judgeCall } from './judge.ts'
import type { Server } from './servers.ts'
import { type SpoiledCall, spoilCall } from './spoil-call.ts'
import { makeValidCall } from './valid-call.ts'

export interface ServerResult {
  server: string
  tools: number
  /** Tools of its list that were left out. */
  leftOut: number
  calls: number
  run: number
  repaired: number
  proposed: number
  asked: number
  /** What went wrong, a line for each call. */
  wrong: { kind: SpoiledCall['kind']; line: string }[]
}

const callsPerTool = 4

/** Spoils calls of every tool in every way, the same ones each time. */
export function measureServers(servers: readonly Server[]): ServerResult[] {
  return servers.map((server) => measureServer(server))
}

function measureServer({ name: server, tools, listed, said: schemas }: Server): ServerResult {
  const random = seededRandom(41)
  const result: ServerResult = {
    server,
    tools: tools.length,
    leftOut: (listed?.length ?? tools.length) - tools.length,
    calls: 0,
    run: 0,
    repaired: 0,
    proposed: 0,
    asked: 0,
    wrong: [],
  }
  for (const tool of tools) {
    // Calls are made from what its server says, not from what was read of that.
    const said = schemas?.get(tool.name) ?? tool.parameters
    for (let count = 0; count < callsPerTool; count++) {
      const args = makeValidCall(said, random)
      if (args === undefined) continue
      for (const spoiled of spoilCall(tool, args, random)) {
        const { outcome, wrong } = judgeCall(spoiled, { tool, tools, args, said })
        result.calls++
        result[outcome]++
        if (wrong === undefined) continue
        const line = `${server} ${spoiled.name}, ${spoiled.kind}: ${spoiled.raw.slice(0, 200)} ${wrong}`
        result.wrong.push({ kind: spoiled.kind, line })
      }
    }
  }
  return result
}

/** A row for each server, and one for all. */
export function tableOf(results: readonly ServerResult[]): string {
  const sum = (key: 'tools' | 'leftOut' | 'calls' | 'run' | 'repaired' | 'proposed' | 'asked') =>
    results.reduce((total, result) => total + result[key], 0)
  const row = (name: string, of: (key: Parameters<typeof sum>[0]) => number, wrong: number) =>
    `| ${name} | ${of('tools')} | ${of('leftOut')} | ${of('calls')} | ${of('run')} | ${of('repaired')} | ${of('proposed')} | ${of('asked')} | ${wrong} |`
  return [
    '| server | tools | left out | calls | run as they are | repaired | proposed | asked | wrong |',
    '|---|---|---|---|---|---|---|---|---|',
    ...results.map((result) => row(result.server, (key) => result[key], result.wrong.length)),
    row(
      'all',
      sum,
      results.reduce((total, { wrong }) => total + wrong.length, 0),
    ),
  ].join('\n')
}
