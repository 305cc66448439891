import { randomBytes } from 'node:crypto'
import { emptyPaper, type Paper } from './paper.ts'

export const documentType = 'application/vnd.google-apps.document'

export interface DrivePermission {
  id: string
  type: string
  role: string
  emailAddress: string
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
  paper: Paper
}

export interface NewFile {
  owner: string
  name?: string
  mimeType?: string
  appProperties?: Record<string, string>
  madeByApp?: boolean
  paper?: Paper
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
    paper: rest.paper ?? emptyPaper(),
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
  const { paper, madeByApp, revisionId, version, ...told } = file
  return {
    kind: 'drive#file',
    ...told,
    version: String(version),
    webViewLink: `https://docs.google.com/document/d/${file.id}/edit?usp=drivesdk`,
    isAppAuthorized: madeByApp,
  }
}

export const defaultFileFields = 'kind,id,name,mimeType'
