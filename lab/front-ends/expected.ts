import type { Answer } from './request.ts'
import type { Expected } from './scene.ts'

/** Describes how an answer differs from what is expected. */
export function findFaults(
  { status = 200, says = [], saysNot = [], headers = {}, modelReads = [], silenceMs }: Expected,
  answer: Answer & { modelRead: string },
  fill: (text: string) => string,
): string[] {
  const holds = (text: string, what: string | RegExp) =>
    typeof what === 'string' ? text.includes(fill(what)) : what.test(text)
  const faults: string[] = []
  if (answer.status !== status) faults.push(`status ${answer.status} instead of ${status}: ${answer.text}`)
  for (const what of says) if (!holds(answer.text, what)) faults.push(`does not say ${what}: ${answer.text}`)
  for (const what of saysNot) if (holds(answer.text, what)) faults.push(`says ${what}: ${answer.text}`)
  for (const [name, value] of Object.entries(headers)) {
    const sent = answer.headers.get(name)
    if (!value.test(sent ?? '')) faults.push(`header ${name} is ${sent}`)
  }
  for (const what of modelReads)
    if (!holds(answer.modelRead, what)) faults.push(`the model was not sent ${what}: ${answer.modelRead}`)
  if (silenceMs !== undefined && answer.silenceMs > silenceMs)
    faults.push(`${answer.silenceMs} ms without a byte instead of ${silenceMs}`)
  return faults
}
