import { bodyLimits, readJson } from '../../../shared/engine/core/outside-body.ts'
import { version } from '../../../shared/server/version.ts'
import { type Finding, fail, note, ok } from '../finding.ts'
import { get, type Services } from './services.ts'

/** Whether the chat function answers, if the project has one. */
export async function checkHealth({ url, chat, kind }: Services): Promise<Finding | Finding[]> {
  if (chat === undefined) return []
  const response = await get(`${url}/functions/v1/${chat}/health`)
  if (!response) return fail(`The function "${chat}" does not answer within 5 s.`)
  const body = (await readJson(response, bodyLimits.command).catch(() => ({}))) as {
    status?: string
    version?: string
  }
  if (response.status === 200 && body.status === 'ok') {
    return body.version === version
      ? ok(`The function "${chat}" answers, in version ${version}`)
      : note(
          `The function "${chat}" is of version ${body.version}, and this is askback ${version}. Deploy it: supabase functions deploy`,
        )
  }
  if (response.status === 503 && body.status === 'unavailable') {
    return fail(
      `The function "${chat}" cannot use the database. See its log, and compare the versions above.`,
    )
  }
  const where = kind === 'dev' ? 'See the terminal of `askback dev`.' : 'Deploy it: supabase functions deploy'
  return fail(`The function "${chat}" answers with status ${response.status}. ${where}`)
}
