import type { Evidence } from '../../provenance/evidence.ts'
import { projectEvidence } from '../../transcript/project-evidence.ts'
import type { Run } from '../run/run.ts'

/** Where everything in a run's conversation comes from, with what was found of the parts that its transcript leaves out. */
export function evidenceOf({ entries, specifications, files, found }: Run): Evidence {
  return projectEvidence(entries, specifications, files, [...found.values()].flat())
}
