import { randomBytes } from 'node:crypto'
import { copyOf, emptyPaper, type Paper } from './paper.ts'

export const documentType = 'application/vnd.google-apps.document'

export interface DrivePermission {
  id: string
  type: string
  role: string
  emailAddress: string
}

/** A tab of a document. */
export interface FileTab {
  id: string
  title: string
  /** The tab that it stands below. */
  parentId?: string
  paper: Paper
}

/** A file in a user's Drive; here every file is a document. */
export interface DriveFile {
  id: string
  name: string
  mimeType: string
  permissions: DrivePermission[]
  appProperties: Record<string, string>
  /** Whether `drive.file` shows it: the app created it, or it was opened with the app. */
  madeByApp: boolean
  trashed: boolean
  createdTime: string
  modifiedTime: string
  version: number
  revisionId: string
  /** In the order in which they are shown. */
  tabs: FileTab[]
}

export interface NewFile {
  owner: string
  name?: string
  mimeType?: string
  appProperties?: Record<string, string>
  madeByApp?: boolean
  tabs?: FileTab[]
}

/** The tab of a document that has only one. */
export function onlyTab(paper: Paper): FileTab[] {
  return [{ id: 't.0', title: 'Tab 1', paper }]
}

export function copyTabs(tabs: readonly FileTab[]): FileTab[] {
  return tabs.map((tab) => ({ ...tab, paper: copyOf(tab.paper) }))
}

export function newFile({ owner, name = 'Untitled', mimeType = documentType, ...rest }: NewFile): DriveFile {
  const now = new Date().toISOString()
  return {
    id: `1${randomBytes(32).toString('base64url')}`,
    name,
    mimeType,
    permissions: [{ id: permissionIdOf(owner), type: 'user', role: 'owner', emailAddress: owner }],
    appProperties: rest.appProperties ?? {},
    madeByApp: rest.madeByApp ?? true,
    trashed: false,
    createdTime: now,
    modifiedTime: now,
    version: 1,
    revisionId: newRevisionId(),
    tabs: rest.tabs ?? onlyTab(emptyPaper()),
  }
}

/** Opaque, as Google's are. */
export function newRevisionId(): string {
  return `ALm37B${randomBytes(24).toString('base64url')}`
}

/** A user has the same permission id on every file. */
export function permissionIdOf(email: string): string {
  return String([...email.toLowerCase()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e15, 7))
}

/** The fields of files.get; by default Drive returns the first four. */
export function fileJson(file: DriveFile): Record<string, unknown> {
  const { tabs, madeByApp, revisionId, version, ...told } = file
  return {
    kind: 'drive#file',
    ...told,
    version: String(version),
    webViewLink: `https://docs.google.com/document/d/${file.id}/edit?usp=drivesdk`,
    isAppAuthorized: madeByApp,
  }
}

export const defaultFileFields = 'kind,id,name,mimeType'
