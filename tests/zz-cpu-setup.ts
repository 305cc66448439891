import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
const kinds = new Map<string, number>()
function cpu(): number {
  const procs = new Map<string, { ppid: string; t: number; c: number }>()
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      const s = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
      procs.set(pid, { ppid: f[1]!, t: +f[11]! + +f[12]!, c: +f[13]! + +f[14]! })
    } catch {}
  }
  let total = 0
  kinds.clear()
  for (const [pid, p] of procs) {
    let x: string | undefined = pid
    while (x && x !== String(process.pid)) x = procs.get(x)?.ppid
    if (x) {
      total += p.t + p.c
      let kind = 'gone'
      try {
        const a = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        kind = /chromium/.test(a) ? `chromium ${/--type=(\S+)/.exec(a)?.[1] ?? 'main'}` : /deno/.test(a) ? 'deno' : /start.ts/.test(a) ? 'stack' : /postgres/.test(a) ? 'postgres' : /vitest/.test(a) ? 'vitest' : a.slice(0, 30)
      } catch {}
      kinds.set(kind, (kinds.get(kind) ?? 0) + p.t / 100); kinds.set(kind + ' ended', (kinds.get(kind + ' ended') ?? 0) + p.c / 100)
    }
  }
  return total / 100
}
let start = 0
let at = 0
const g = globalThis as { lessEnd?: number }
beforeAll(() => { start = g.lessEnd ?? 0; at = Date.now() })
afterAll(() => {
  const end = cpu()
  g.lessEnd = end
  appendFileSync('/tmp/less-cpu.txt', `${(end - start).toFixed(1)} ${((Date.now() - at) / 1000).toFixed(0)} ${String(expect.getState().testPath).replace(/.*\/less\//, '')} ${process.env.LESS_ARGS ?? ''} ${JSON.stringify(Object.fromEntries([...kinds].map(([k, v]) => [k, Math.round(v)])))}\n`)
})
