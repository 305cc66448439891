import { approvals } from './approvals.ts'
import { closed } from './closed.ts'
import { connections } from './connections.ts'
import { digests } from './digests.ts'
import { documents } from './documents.ts'
import { email } from './email.ts'
import { endings } from './endings.ts'
import { failures } from './failures.ts'
import { foreignTools } from './foreign-tools.ts'
import { notices } from './notices.ts'
import { questions } from './questions.ts'
import { schedules } from './schedules.ts'
import { servers } from './servers.ts'
import { unable } from './unable.ts'
import { unknownWrites } from './unknown-writes.ts'
import { unusable } from './unusable.ts'
import { waits } from './waits.ts'

/** By the names of their files. */
export const subjects = {
  approvals,
  closed,
  connections,
  digests,
  documents,
  email,
  endings,
  failures,
  'foreign-tools': foreignTools,
  notices,
  questions,
  schedules,
  servers,
  unable,
  'unknown-writes': unknownWrites,
  unusable,
  waits,
}

/** All sentences of ours, by language and code; what a subject is about stands in its own file. */
export const catalogue = {
  en: {
    ...approvals.en,
    ...closed.en,
    ...connections.en,
    ...digests.en,
    ...documents.en,
    ...email.en,
    ...endings.en,
    ...failures.en,
    ...foreignTools.en,
    ...notices.en,
    ...questions.en,
    ...schedules.en,
    ...servers.en,
    ...unable.en,
    ...unknownWrites.en,
    ...unusable.en,
    ...waits.en,
  },
  de: {
    ...approvals.de,
    ...closed.de,
    ...connections.de,
    ...digests.de,
    ...documents.de,
    ...email.de,
    ...endings.de,
    ...failures.de,
    ...foreignTools.de,
    ...notices.de,
    ...questions.de,
    ...schedules.de,
    ...servers.de,
    ...unable.de,
    ...unknownWrites.de,
    ...unusable.de,
    ...waits.de,
  },
}
