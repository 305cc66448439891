import labels from './labels.json' with { type: 'json' }
import type { UserQuestion } from './play.ts'
import type { Suite, UserTask } from './traces.ts'

const reasons: Record<string, { needed: boolean; why: string }> = labels.reasons
const calls: Record<string, string> = labels.calls

/**
 * The questions of a user's own task that nobody needs: about a call that is labelled so, or a second one about the same
 * call. The labels were given to every write and every web address of the tasks, whether or not something asks about it.
 * Throws for a call without a label.
 */
export function needlessOf(suite: Suite, task: UserTask, asked: readonly UserQuestion[]): UserQuestion[] {
  return asked.filter(({ step, number }, index) => {
    const key = `${suite.suite}/${task.id}/${number}`
    const reason = reasons[calls[key] ?? '']
    if (!reason) throw new Error(`The call ${key} (${step.tool}) asks, but has no label in labels.json.`)
    return !reason.needed || asked.slice(0, index).some((one) => one.number === number)
  })
}
