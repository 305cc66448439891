import { missingWords } from '../../local/integrations/integration-words.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { Refusal } from '../command/refusal.ts'
import { readOwnIntegration } from '../project/own-integrations.ts'
import type { ProjectRecord } from '../project/record.ts'
import { type Finding, note, ok } from './finding.ts'

/** Which words the integrations of the project's own lack, in the languages that any of them has. */
export function checkOwnWords(project: string, { own }: ProjectRecord): Finding[] {
  const integrations: Integration[] = []
  const findings: Finding[] = []
  for (const name of own) {
    try {
      integrations.push(readOwnIntegration(project, name))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // It may be that only Deno is missing here.
      findings.push(note(`Cannot tell which words ${name} lacks. ${error.message}`))
    }
  }
  const languages = [...new Set(integrations.flatMap(({ words = {} }) => Object.keys(words)))].sort()
  const lacking = integrations.flatMap((integration) => missingWords(integration, languages))
  if (languages.length > 0 && lacking.length === 0)
    findings.push(ok(`Your own integrations say everything in ${languages.join(', ')}`))
  return [...findings, ...lacking.map((missing) => note(missing))]
}
