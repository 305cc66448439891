import type { Context } from 'hono'
import {
  createItemLink,
  decideForGroup,
  decideLinkedItem,
  type LinkedDecision,
  type LinkedItem,
  linkHeader,
  listApprovals,
  listItemLinks,
  readApproval,
  readLinkedItem,
  revokeItemLink,
} from '../../../../shared/api/item-link.ts'
import { readReader } from '../../../../shared/api/reader.ts'
import type { DecidedBy } from '../../../../shared/engine/transcript/entry.ts'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { isOfProject } from '../../../../shared/server/authentication/project-key.ts'
import { requireSecondFactor } from '../../../../shared/server/authentication/second-factor.ts'
import type { TokenUser } from '../../../../shared/server/authentication/user-token.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { ServeRoute } from '../../../../shared/server/http/serve-routes.ts'
import type { Refused } from '../../../../shared/server/reader/readers-language.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { Caller } from '../turn/caller-headers.ts'
import type { Decision } from '../turn/decision.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { openApproval, listApprovals as readApprovals, showApproval } from './approvals.ts'
import { createLink, revokeLink } from './create-link.ts'
import { createGuessLimit } from './guess-limit.ts'
import { hashLinkToken } from './link-token.ts'
import { lacksSignIn, type OpenedItem, type OpenedLink, openLink, showLinkedItem } from './linked-item.ts'
import { listLinks } from './list-links.ts'

/** Links to open items: whoever may make them, and the one item that whoever has one can see and decide. */
export function serveItemLinks<Variables extends { Variables: Refused }>(
  on: ServeRoute<Variables>,
  dependencies: ChatDependencies,
  resume: (caller: Caller, conversationId: string, answer: Decision) => Promise<ChatAnswer>,
): void {
  const { rpc, verify, secretKeys, requireAal2 } = dependencies
  const unknown = createGuessLimit()

  /** The user of a request, or undefined for the project itself. */
  const maker = async (c: Context<Variables>): Promise<TokenUser | undefined> => {
    if (await isOfProject(c.req.raw.headers, secretKeys)) return undefined
    const user = await authenticateUser(c.req.raw, verify)
    c.set('userId', user.userId)
    await requireAccount(rpc, user.userId)
    return user
  }

  on(createItemLink, async (request, c) => {
    const user = await maker(c)
    const asked = await request.body()
    if (asked?.decides && user) {
      // Whatever another app can read carries no authority, even if it is an app of the project.
      requireOwnApp(user)
      if (requireAal2) requireSecondFactor(user)
    }
    return await createLink(dependencies, user?.userId ?? null, request.params().itemId, asked)
  })

  on(listItemLinks, async (_, c) => {
    const user = await authenticateUser(c.req.raw, verify)
    c.set('userId', user.userId)
    await requireAccount(rpc, user.userId)
    const language = await readersLanguage(rpc, user.userId, readReader(c.req.raw.headers))
    return await listLinks(rpc, user.userId, language)
  })

  on(revokeItemLink, async (request, c) => {
    const user = await maker(c)
    return await revokeLink(dependencies, user?.userId ?? null, request.params().id)
  })

  const open = async (c: Context<Variables>, reader: TokenUser | ApiError): Promise<OpenedLink> => {
    const hash = await hashLinkToken(c.req.header(linkHeader) ?? null)
    return await openLink(rpc, hash, reader instanceof ApiError ? undefined : reader.userId, unknown)
  }

  /** Who is signed in besides, or why nobody is: clients without a session send their own key in its place. */
  const signedIn = async (c: Context<Variables>): Promise<TokenUser | ApiError> => {
    const user = await authenticateUser(c.req.raw, verify).catch((error) => error)
    if (user instanceof Error && !(user instanceof ApiError && user.status < 500)) throw user
    return user
  }

  const show = async (
    c: Context<Variables>,
    opened: OpenedLink,
    signIn: LinkedItem['signIn'],
    user: string | undefined,
  ): Promise<LinkedItem> => {
    const language = await readersLanguage(rpc, user, readReader(c.req.raw.headers))
    return showLinkedItem(opened, signIn, language)
  }

  on(readLinkedItem, async (_, c) => {
    const user = await signedIn(c)
    const opened = await open(c, user)
    const userId = user instanceof ApiError ? undefined : user.userId
    return await show(c, opened, lacksSignIn(opened, userId), userId)
  })

  on(decideLinkedItem, async (request, c) => {
    const decided = await request.body()
    const reader = await signedIn(c)
    const opened = await open(c, reader)
    const user = opened.link.decides ? undefined : requireDecider(opened, reader)
    if (requireAal2 && user) requireSecondFactor(user)
    const after = await decide(c, opened, user, toDecision(opened, decided, user), () => open(c, reader))
    return await show(c, after, undefined, user?.userId)
  })

  /** Has something decided, and returns how the item is then. `read`: reads it again. */
  async function decide<Opened extends OpenedItem>(
    c: Context<Variables>,
    opened: Opened,
    user: TokenUser | undefined,
    decision: Decision,
    read: () => Promise<Opened>,
  ): Promise<Opened> {
    const { conversationId, userId } = opened
    const isTheirs = ({ outcome }: OpenedItem) => isBy(outcome?.made.by, decision)
    if (opened.closed && !isTheirs(opened)) throw new ApiError('already_decided')
    const reader = readReader(c.req.raw.headers)
    const caller: Caller = {
      // Whoever approves for a group lends the run neither their session nor their account.
      ...(user && decision.approverId === undefined ? user : { userId }),
      traceparent: c.req.header('traceparent'),
      reader,
    }
    try {
      await resume(caller, conversationId, decision)
    } catch (error) {
      // What is decided is decided, whatever became of the answer that was to tell of it.
      if (error instanceof ApiError && error.status < 500) throw error
      const after = await read()
      if (!isTheirs(after)) throw error
      return after
    }
    return await read()
  }

  /** A signed-in user of the app itself: what another app can read carries no authority over what others ask. */
  const member = async (c: Context<Variables>): Promise<TokenUser> => {
    const user = await authenticateUser(c.req.raw, verify)
    c.set('userId', user.userId)
    requireOwnApp(user)
    return user
  }

  const languageOf = (c: Context<Variables>, { userId }: TokenUser) =>
    readersLanguage(rpc, userId, readReader(c.req.raw.headers))

  on(listApprovals, async (_, c) => {
    const user = await member(c)
    return await readApprovals(rpc, user.userId, await languageOf(c, user))
  })

  on(readApproval, async (request, c) => {
    const user = await member(c)
    const opened = await openApproval(rpc, user.userId, request.params().itemId)
    return showApproval(opened, await languageOf(c, user))
  })

  on(decideForGroup, async (request, c) => {
    const user = await member(c)
    const { itemId } = request.params()
    const { decision, reason } = await request.body()
    const read = () => openApproval(rpc, user.userId, itemId)
    const decided = { type: 'approval', itemId, decision, reason, approverId: user.userId } as const
    const after = await decide(c, await read(), user, decided, read)
    return showApproval(after, await languageOf(c, user))
  })
}

/** Throws ApiError 403 for the token of another app. */
function requireOwnApp({ clientId }: TokenUser): void {
  if (clientId !== undefined) throw new ApiError('foreign_client', { client: JSON.stringify(clientId) })
}

/** Whether an item was decided by what this decision comes from: the same link, or the same approver. */
function isBy(made: DecidedBy | undefined, { by, approverId }: Decision): boolean {
  return approverId === undefined ? made?.link === by?.link : made?.approver === approverId
}

/** Throws ApiError 401 unless the item's user is signed in, or one of the group that decides it. */
function requireDecider(opened: OpenedLink, user: TokenUser | ApiError): TokenUser {
  if (user instanceof ApiError) {
    if (user.status !== 401) throw user
    throw new ApiError('sign_in_needed', { why: 'item' }, { status: 401, cause: user })
  }
  if (user.userId === opened.userId) return user
  if (opened.isApprover) {
    requireOwnApp(user)
    return user
  }
  throw new ApiError('sign_in_needed', { why: 'other_account' }, { status: 401 })
}

function toDecision(
  { link: { id, name, decides }, itemId, item, userId }: OpenedLink,
  { decision, values, input, reason }: LinkedDecision,
  user: TokenUser | undefined,
): Decision {
  if (user && user.userId !== userId) {
    if ((decision !== 'approve' && decision !== 'deny') || values || input) throw new ApiError('not_as_asked')
    return { type: 'approval', itemId, decision, reason, approverId: user.userId }
  }
  const by = { door: decides ? 'link' : 'page', link: id, ...(name === null ? {} : { name }) } as const
  if (decision === 'skip') return { type: 'skip', itemId, by }
  if (decision === undefined) return { type: 'input', itemId, values, by }
  return { type: 'approval', itemId, toolCallId: item?.toolCallId, decision, values, input, reason, by }
}
