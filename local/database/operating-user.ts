import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The user that PostgreSQL runs as, and where its files are for that user. */
export interface OperatingUser {
  /** Folder with `bin/initdb` and `bin/postgres`. */
  binaries: string
  /** PostgreSQL's own data directory, which may not exist yet. */
  directory: string
  /** What precedes each command. */
  prefix: readonly string[]
  /** For `spawn`; empty: the current user. */
  identity: { uid?: number; gid?: number }
}

/** initdb needs a user that has a name, and this id has one nearly everywhere: nobody. */
const nobody = 65534

/**
 * PostgreSQL refuses to run as root. When root starts the stack, the server runs in a user namespace in which root's
 * files belong to an ordinary user. Where namespaces are not allowed (a plain container, a folder that only root may
 * enter) it runs as `nobody` in a folder of that user, and `directory` becomes a link to it.
 */
export function chooseOperatingUser(binaries: string, directory: string): OperatingUser {
  if (process.getuid?.() !== 0) return { binaries, directory, prefix: [], identity: {} }
  if (existsSync(directory) && statSync(directory).uid !== 0) return runAsOwner(binaries, directory)
  const prefix = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]
  if (worksInNamespace(prefix, binaries, dirname(directory))) {
    return { binaries, directory, prefix, identity: {} }
  }
  return moveToNobody(binaries, directory)
}

function worksInNamespace(prefix: string[], binaries: string, parent: string): boolean {
  const [command = '', ...words] = prefix
  const probe = ['sh', '-c', 'test -w "$1" && exec "$2" --version', 'sh', parent, postgresIn(binaries)]
  return spawnSync(command, [...words, ...probe], { stdio: 'ignore', cwd: '/' }).status === 0
}

function runAsOwner(binaries: string, link: string): OperatingUser {
  const directory = realpathSync(link)
  const { uid, gid } = statSync(directory)
  return {
    binaries: copyIfBarred(binaries, dirname(directory), uid, gid),
    directory,
    prefix: [],
    identity: { uid, gid },
  }
}

function moveToNobody(binaries: string, link: string): OperatingUser {
  const home = mkdtempSync('/var/tmp/askback-')
  chmodSync(home, 0o711)
  const directory = join(home, 'postgres')
  rmSync(link, { force: true })
  symlinkSync(directory, link)
  const identity = { uid: nobody, gid: nobody }
  return { binaries: copyIfBarred(binaries, home, nobody, nobody), directory, prefix: [], identity }
}

/** Copies the binaries if this user cannot run them, once per version. */
function copyIfBarred(binaries: string, home: string, uid: number, gid: number): string {
  const run = spawnSync(postgresIn(binaries), ['--version'], { stdio: 'ignore', cwd: '/', uid, gid })
  if (run.status === 0) return binaries
  const copy = join(home, `binaries-${Math.trunc(statSync(postgresIn(binaries)).mtimeMs)}`)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.new`
  const umask = process.umask(0o022)
  try {
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(binaries, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
  } finally {
    process.umask(umask)
  }
  return copy
}

function postgresIn(binaries: string): string {
  return join(binaries, 'bin', 'postgres')
}
