import { german as client } from '../../../client/labels/de.ts'
import type { Language } from '../language.ts'
import { account } from './account.ts'
import { agents } from './agents.ts'
import { archived } from './archived.ts'
import { auth } from './auth.ts'
import { calls } from './calls.ts'
import { door } from './door.ts'
import { frame } from './frame.ts'
import { inbox } from './inbox.ts'
import { insights } from './insights.ts'
import { integrations } from './integrations.ts'
import { links } from './links.ts'
import { menus } from './menus.ts'
import { notFound } from './not-found.ts'
import { operator } from './operator.ts'
import { servers } from './servers.ts'
import { start } from './start.ts'
import { tokens } from './tokens.ts'
import { tour } from './tour.ts'
import { waiting } from './waiting.ts'

export const language: Language = {
  client,
  account,
  agents,
  archived,
  auth,
  calls,
  door,
  frame,
  inbox,
  insights,
  integrations,
  links,
  menus,
  notFound,
  operator,
  servers,
  start,
  tokens,
  tour,
  waiting,
}
