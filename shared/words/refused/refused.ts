import type { Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'
import { type AuthenticationRefusals, authenticationRefusals } from './authentication.ts'
import { type ConnectionRefusals, connectionRefusals } from './connections.ts'
import { type ConversationRefusals, conversationRefusals } from './conversations.ts'
import { type FileRefusals, fileRefusals } from './files.ts'
import { type LimitRefusals, limitRefusals } from './limits.ts'
import { type LinkRefusals, linkRefusals } from './links.ts'
import { type ModelRefusals, modelRefusals } from './models.ts'
import { type RequestRefusals, requestRefusals } from './requests.ts'
import { type ServerRefusals, serverRefusals } from './server.ts'

/** Why requests are refused: the values of each code. */
export interface Refusals
  extends RequestRefusals,
    FileRefusals,
    LinkRefusals,
    LimitRefusals,
    AuthenticationRefusals,
    ConversationRefusals,
    ModelRefusals,
    ConnectionRefusals,
    ServerRefusals {}

/** By the names of their files. */
export const refusedSubjects = {
  requests: requestRefusals,
  files: fileRefusals,
  links: linkRefusals,
  limits: limitRefusals,
  authentication: authenticationRefusals,
  conversations: conversationRefusals,
  models: modelRefusals,
  connections: connectionRefusals,
  server: serverRefusals,
}

/** Every sentence about a refused request, by language and code. */
export const refused = {
  en: {
    ...requestRefusals.en,
    ...fileRefusals.en,
    ...linkRefusals.en,
    ...limitRefusals.en,
    ...authenticationRefusals.en,
    ...conversationRefusals.en,
    ...modelRefusals.en,
    ...connectionRefusals.en,
    ...serverRefusals.en,
  } satisfies Refuses<Refusals>,
  de: (address: GermanAddress): Refuses<Refusals> => ({
    ...requestRefusals.de(address),
    ...fileRefusals.de(address),
    ...linkRefusals.de(address),
    ...limitRefusals.de(address),
    ...authenticationRefusals.de(address),
    ...conversationRefusals.de(address),
    ...modelRefusals.de(address),
    ...connectionRefusals.de(address),
    ...serverRefusals.de(address),
  }),
}
