import type { AllLabels } from '../../client/labels/en-integrations.ts'
import type { authWords } from '../base/auth-words.ts'
import type { frameWords } from '../base/frame-words.ts'
import type { accountWords } from '../pages/account/words.ts'
import type { agentsWords } from '../pages/agents/words.ts'
import type { archivedWords } from '../pages/archived/words.ts'
import type { callsWords } from '../pages/chat/calls-words.ts'
import type { startWords } from '../pages/chat/start-words.ts'
import type { tourWords } from '../pages/chat/tour-words.ts'
import type { linkWords } from '../pages/door/link-words.ts'
import type { doorWords } from '../pages/door/words.ts'
import type { inboxWords } from '../pages/inbox/words.ts'
import type { operatorWords } from '../pages/insights/operator/words.ts'
import type { insightsWords } from '../pages/insights/words.ts'
import type { integrationsWords } from '../pages/integrations/words.ts'
import type { serversWords } from '../pages/servers/words.ts'
import type { tokensWords } from '../pages/tokens/words.ts'
import type { waitingWords } from '../pages/waiting/words.ts'
import type { menuWords } from '../shell/menu-words.ts'
import type { notFoundWords } from '../shell/not-found-words.ts'

/** All texts of the app in one language; TypeScript reports a missing part. */
export interface Language {
  client: AllLabels
  account: ReturnType<typeof accountWords>
  agents: ReturnType<typeof agentsWords>
  archived: ReturnType<typeof archivedWords>
  auth: ReturnType<typeof authWords>
  calls: ReturnType<typeof callsWords>
  door: ReturnType<typeof doorWords>
  frame: ReturnType<typeof frameWords>
  inbox: ReturnType<typeof inboxWords>
  insights: ReturnType<typeof insightsWords>
  integrations: ReturnType<typeof integrationsWords>
  links: ReturnType<typeof linkWords>
  menus: ReturnType<typeof menuWords>
  notFound: ReturnType<typeof notFoundWords>
  operator: ReturnType<typeof operatorWords>
  servers: ReturnType<typeof serversWords>
  start: ReturnType<typeof startWords>
  tokens: ReturnType<typeof tokensWords>
  tour: ReturnType<typeof tourWords>
  waiting: ReturnType<typeof waitingWords>
}
