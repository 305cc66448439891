import type { Call } from '../command/command.ts'
import { confirm, type Usual } from '../command/confirm.ts'
import { applyChanges, type Change, describeChanges, describeLines } from './changes.ts'

/**
 * Shows the changes, and makes them once the user agrees. With `--dry-run` they are only shown, and false is returned.
 * @throws {Refusal} when the user does not agree, or nobody can be asked
 */
export async function carryOut(
  call: Call,
  project: string,
  changes: readonly Change[],
  { place = project, usual }: { place?: string; usual?: Usual } = {},
): Promise<boolean> {
  console.log(`In ${place}:\n${describeChanges(project, changes)}`)
  if (call.isOn('dry-run')) {
    console.log(describeLines(project, changes))
    return false
  }
  if (!call.isOn('yes')) await confirm('Go on?', usual)
  applyChanges(project, changes)
  return true
}
