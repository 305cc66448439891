import type { Call, ExitCode } from '../command/command.ts'
import { carryOut } from '../project/carry-out.ts'
import { type Change, pending, readProjectFile } from '../project/changes.ts'
import { withoutAskback } from '../project/config-file.ts'
import { exampleWithoutAskback } from '../project/env-files.ts'
import { noWords, wordsPath } from '../project/function-files.ts'
import { configPath } from '../project/installation.ts'
import { isChanged, recordPath, requireRecord } from '../project/record.ts'
import { describeRest } from '../remove/rest.ts'

/** `askback remove`: takes out what `askback add` has put in, and says what stays. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = requireRecord(project)
  const files = Object.keys(record.files)
  const kept = files.filter((path) => isChanged(project, record, path))
  const example = exampleWithoutAskback(project)
  const changes: Change[] = [
    {
      path: configPath,
      text: withoutAskback(readProjectFile(project, configPath) ?? ''),
      about: 'the block and "askback" among the exposed schemas',
    },
    ...(example ? [example] : []),
    ...(readProjectFile(project, wordsPath) === noWords ? [{ path: wordsPath, text: undefined }] : []),
    ...files.filter((path) => !kept.includes(path)).map((path): Change => ({ path, text: undefined })),
    // Last, so that this can be repeated if it is interrupted.
    { path: recordPath, text: undefined },
  ]
  const rest = describeRest(project, record)
  const all = pending(project, changes)
  if (!(await carryOut(call, project, all, { usual: 'no' }))) return 0
  for (const path of kept) console.log(`${path} was changed by hand and stays.`)
  console.log(`\n${rest}`)
  return 0
}
