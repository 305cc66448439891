import { fileNotFound, scopeInsufficient, unauthenticated } from './docs-error.ts'
import type { DriveFile } from './drive-file.ts'

/** The account of an access token. */
export interface GoogleAccounts {
  accountOf(accessToken: string): { email: string; scopes: string[] } | undefined
}

export interface SignedIn {
  email: string
  /** Whether it sees every file of the account, not only those that the app created. */
  seesAll: boolean
}

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** The scopes by service, any one of which is enough. Read-only scopes are left out, because nothing here uses them. */
const accepted: Readonly<Record<string, string[]>> = {
  'drive.googleapis.com': [scope('drive.file'), scope('drive')],
  'docs.googleapis.com': [scope('drive.file'), scope('drive'), scope('documents')],
}

/** Throws Google's 401 or 403. */
export function signIn(accounts: GoogleAccounts, authorization: string | null, service: string): SignedIn {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
  const account = token === undefined ? undefined : accounts.accountOf(token)
  if (!account) throw unauthenticated()
  if (!accepted[service]?.some((one) => account.scopes.includes(one))) throw scopeInsufficient(service)
  const seesAll = account.scopes.some((one) => one === scope('drive') || one === scope('documents'))
  return { email: account.email, seesAll }
}

/** The account's role on a file; undefined if it cannot see the file. */
export function roleOn(file: DriveFile, { email, seesAll }: SignedIn): string | undefined {
  if (!file.madeByApp && !seesAll) return undefined
  return file.permissions.find(({ emailAddress }) => emailAddress === email)?.role
}

export function findFile(files: readonly DriveFile[], id: string, account: SignedIn): DriveFile {
  const file = files.find((one) => one.id === id)
  if (!file || roleOn(file, account) === undefined) throw fileNotFound(id)
  return file
}

export function mayEdit(file: DriveFile, account: SignedIn): boolean {
  return ['owner', 'organizer', 'writer'].includes(roleOn(file, account) ?? '')
}
