import { schemaVersion } from '../../shared/server/version.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { checkDatabase } from '../doctor/database/check-database.ts'
import { openTarget } from '../doctor/open-target.ts'
import { checkOwnWords } from '../doctor/own-words.ts'
import { checkPort } from '../doctor/port.ts'
import { checkPrograms } from '../doctor/programs.ts'
import { checkFiles } from '../doctor/project-files.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { checkServices } from '../doctor/services/check-services.ts'
import { readRecord } from '../project/record.ts'

/** `askback doctor [--db-url URL | --linked]`: what is in order and what is not, each with what to do. Changes nothing. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const target = await openTarget(project, call)
  try {
    const installed = readRecord(project)
    const code = installed?.schema ?? schemaVersion
    const chat = installed?.functions.chat ?? 'chat'
    const groups = await Promise.all([
      checkPrograms(project),
      checkFiles(project, installed, target),
      // `askback add` makes them.
      installed ? checkSecrets(project, target) : [],
      installed ? checkOwnWords(project, installed) : [],
      checkDatabase(target, code, chat),
      checkServices(target, installed && chat),
      checkPort(project, target),
    ])
    const findings = groups.flat()
    for (const { level, text } of findings) console.log(`${level.padEnd(4)}  ${text}`)
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  } finally {
    await target.close()
  }
}
