import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds without events after which a change is complete: editors write a file in several steps. */
const silenceMs = 50

/**
 * Calls `onChange` with the paths that were written, created, moved or deleted below the folders, until it is closed.
 * Hidden files and editors' backups are ignored. Each folder gets its own watcher: on Linux, Node 20 with `recursive`
 * stops seeing a file once it was replaced, which is how most editors save.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: (paths: string[]) => void,
): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const noteChange = (path: string) => {
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changed]
      changed.clear()
      onChange(paths)
    }, silenceMs)
    timer.unref()
  }

  const follow = (folder: string) => {
    watchers.get(folder)?.close()
    const watcher = watch(folder, { persistent: false }, (event, name) => {
      if (name === null || name.startsWith('.') || name.endsWith('~')) return
      const path = join(folder, name)
      if (event === 'rename') followNew(path)
      noteChange(path)
    })
    watcher.on('error', () => watcher.close())
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) follow(join(folder, entry.name))
    }
  }

  /** A path that has just appeared or disappeared; it may be gone again by now. */
  const followNew = (path: string) => {
    try {
      if (statSync(path).isDirectory()) follow(path)
    } catch {
      watchers.get(path)?.close()
      watchers.delete(path)
    }
  }

  try {
    for (const folder of folders) follow(folder)
  } catch (error) {
    const { message } = error as Error
    console.error(`Source changes cannot be watched (${message}): restart after each change.`)
  }
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}
