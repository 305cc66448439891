import { faults } from '../conformance/faults/all.ts'
import { runFault } from '../conformance/run-fault.ts'
import { sentencesIn, toldToModels } from './collect.ts'
import { ownInEachLanguage, pendingInEachLanguage } from './languages.ts'
import type { Sentence } from './sentence.ts'

/** What models and people are told in the scenarios of the conformance suite. */
export async function sentencesOfConformance(): Promise<Sentence[]> {
  const told: Sentence[] = []
  for (const [group, cases] of faults) {
    for (const fault of cases) {
      const from = `conformance: ${group}: ${fault.name}`
      const { response, sent } = await runFault(fault, false)
      told.push(...toldToModels(sent, from))
      if (!response) continue
      const { text, toolsUsed, pending, transcript } = response
      told.push(...pendingInEachLanguage(pending ?? [], from))
      told.push(...ownInEachLanguage(transcript, from))
      told.push(...sentencesIn({ text, toolsUsed }, from))
    }
  }
  return told
}
