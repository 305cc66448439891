import { z } from 'zod'
import { refusal } from '../shared/api/refusal.ts'
import { type RefusalCode, statuses } from '../shared/api/refusals.ts'
import type { Route } from '../shared/api/route.ts'
import { refusalsOf, routes } from '../shared/api/routes.ts'

/**
 * Throws unless a response is one that the route says it gives: no member more, none less, no status or code that is not
 * declared. `path` as the function sees it. What is at no route is not looked at.
 */
export function checkAnswer(
  { method, path }: { method: string; path: string },
  { status, json }: { status: number; json: unknown },
): void {
  const route = findRoute(method, path)
  if (!route) return
  const where = `${method} ${path} answered ${status}`
  if (status >= 400) {
    if (json === undefined) return
    const read = refusal().safeParse(json)
    if (!read.success) throw new Error(`${where}: ${z.prettifyError(read.error)}\n${JSON.stringify(json)}`)
    const { code } = read.data.error
    // The gateway's own, such as `function_crashed`.
    if (!isRefusalCode(code)) return
    if (!refusalsOf(route).has(code)) throw new Error(`${where} ${code}, which the route does not declare.`)
    if (!statuses[code].includes(status)) throw new Error(`${where} ${code}, which has another status.`)
    return
  }
  if (status === 204 || json === undefined) return
  if (status !== (route.status ?? 200)) throw new Error(`${where} instead of ${route.status ?? 200}.`)
  const read = route.answer?.().safeParse(json)
  if (read && !read.success) {
    throw new Error(`${where}: ${z.prettifyError(read.error)}\n${JSON.stringify(json).slice(0, 4000)}`)
  }
}

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(statuses, code)
}

function findRoute(method: string, path: string): Route | undefined {
  const [place = ''] = path.replace(/^.*\/functions\/v1/, '').split('?')
  const steps = place.replace(/\/$/, '').split('/')
  return routes.find((route) => {
    const declared = route.path.split('/')
    if (route.method !== method || declared.length !== steps.length) return false
    return declared.every((step, index) => step.startsWith(':') || step === steps[index])
  })
}
