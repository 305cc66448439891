import { german as client } from '../../client/labels/de.ts'
import { account } from './de/account.ts'
import { agents } from './de/agents.ts'
import { archived } from './de/archived.ts'
import { auth } from './de/auth.ts'
import { chat } from './de/chat.ts'
import { door } from './de/door.ts'
import { frame } from './de/frame.ts'
import { inbox } from './de/inbox.ts'
import { insights } from './de/insights.ts'
import { integrations } from './de/integrations.ts'
import { links } from './de/links.ts'
import { menus } from './de/menus.ts'
import { models } from './de/models.ts'
import { operator } from './de/operator.ts'
import { start } from './de/start.ts'
import { tokens } from './de/tokens.ts'
import { waiting } from './de/waiting.ts'
import type { Language } from './language.ts'

export const language: Language = {
  client,
  account,
  agents,
  archived,
  auth,
  chat,
  door,
  frame,
  inbox,
  insights,
  integrations,
  links,
  menus,
  models,
  operator,
  start,
  tokens,
  waiting,
}
