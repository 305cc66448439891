import { isDeepStrictEqual as same } from 'node:util'
import { type FaultCase, fillSlots, type NamedProblem, prepareCase } from './fault-case.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

const valid = 'valid calls rejected or changed'
const blank = 'blank required texts let through'
const lossless = 'lossless faults repaired exactly'
const harmful = 'harmful repairs'
const type = 'error type right'
const path = "every problem's path right"
const labels = 'every problem named with type and path'
const suggestion = 'right tool, parameter or enum value suggested'
const filled = 'corrections with slots filled from the truth are the true call'
const closed = 'corrections without slots are the true call'
const restored = 'restorable faults with a right correction without slots'
const kept = 'right values kept in the correction'

/** Broken calls of real tools, labelled with the faults and the intended call. */
export async function measureFaults(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  for (const one of await readCases<FaultCase>(dir, 'faults')) measureCase(one, tally)
  return [
    tally.share(type, '>= 98 %'),
    tally.share(path, '>= 98 %'),
    tally.share(labels, '>= 98 %'),
    tally.share(lossless, '>= 98 %'),
    tally.failures(harmful),
    tally.failures(valid),
    tally.failures(blank),
    tally.share(suggestion, '>= 80 %'),
    tally.share(filled, '>= 95 %'),
    tally.share(closed, '>= 97 %'),
    tally.share(restored, '>= 80 %'),
    tally.share(kept, '>= 98 %'),
  ].map((measurement) => ({ ...measurement, name: `faults: ${measurement.name}` }))
}

function measureCase(one: FaultCase, tally: Tally): void {
  const { expected, ground_truth: truth } = one
  const { prepared, problems } = prepareCase(one)
  const label = `${one.id} ${one.fault}/${one.subkind} ${one.call_name} ${one.raw_arguments.slice(0, 120)}`
  const right =
    prepared.ok && !!truth && prepared.tool.name === truth.name && same(prepared.args, truth.arguments)
  if (expected.ok) {
    tally.add(valid, right, label)
    return
  }
  if (!expected.schema_detectable) {
    tally.add(blank, !prepared.ok, label)
    return
  }
  if (expected.repair_class === 'lossless') tally.add(lossless, right, label)
  if (!expected.contested) tally.add(harmful, !prepared.ok || right, label)
  if (prepared.ok) return
  tally.add(
    type,
    problems.some((problem) => expected.error_types_accepted.includes(problem.type)),
    label,
  )
  tally.add(
    path,
    expected.paths.every((at) => at === '' || problems.some((problem) => problem.path === at)),
    label,
  )
  tally.add(labels, isFullyNamed(expected, problems), label)
  if (expected.suggestion !== undefined) {
    tally.add(
      suggestion,
      problems.some((problem) => problem.suggestion === expected.suggestion),
      label,
    )
  }
  measureCorrection(one, tally, prepared.error.details.correction, label)
}

function isFullyNamed(expected: FaultCase['expected'], problems: NamedProblem[]): boolean {
  const unreadable = problems.some((problem) => problem.type === 'malformed_json')
  if (expected.errors.length > 1 && expected.errors[0]?.error_type === 'malformed_json' && unreadable)
    return true
  return expected.errors.every((error) =>
    problems.some((problem) => problem.type === error.error_type && problem.path === error.path),
  )
}

function measureCorrection(
  one: FaultCase,
  tally: Tally,
  correction: { name: string; arguments: Record<string, unknown>; open: string[] } | undefined,
  label: string,
): void {
  const { expected, ground_truth: truth } = one
  // Unless exactly one tool name is close, no correction is expected.
  const nameless = one.fault === 'unknown_tool' && expected.repair_class === 'none'
  if (expected.contested || !truth || nameless) return
  const right =
    !!correction && correction.name === truth.name && same(fillSlots(correction, truth), truth.arguments)
  const isClosed = correction?.open.length === 0
  tally.add(filled, right, label)
  if (isClosed) tally.add(closed, right, label)
  if (expected.repair_class === 'heuristic') tally.add(restored, isClosed && right, label)
  const sent = readSent(one.raw_arguments)
  if (!correction || !sent) return
  for (const [name, value] of Object.entries(truth.arguments)) {
    if (!same(sent[name], value)) continue
    const stays =
      same(correction.arguments[name], value) && !correction.open.some((open) => isUnder(open, name))
    tally.add(kept, stays, label)
  }
}

function isUnder(open: string, name: string): boolean {
  return open === name || open.startsWith(`${name}.`) || open.startsWith(`${name}[`)
}

function readSent(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
