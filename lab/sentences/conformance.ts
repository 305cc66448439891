import { faults } from '../conformance/faults/all.ts'
import { runFault } from '../conformance/run-fault.ts'
import { sentencesIn, toldToModels } from './collect.ts'
import { answerInEachLanguage, ownInEachLanguage } from './languages.ts'
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
      told.push(...answerInEachLanguage({ pending: pending ?? [] }, from))
      const ours = transcript.flatMap((entry) => (entry.type === 'run-end' ? (entry.ours ?? []) : []))
      told.push(...ours.flatMap((one) => ownInEachLanguage(one, from)))
      told.push(...sentencesIn({ text, toolsUsed }, from))
    }
  }
  return told
}
