import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds of silence after which a change is whole: editors write a file in several steps. */
const silenceMs = 50

/**
 * Calls `onChange` with the paths that were written, made, moved or deleted anywhere below the folders, until it is
 * closed. Hidden files and backups of editors do not count. Each folder is watched by itself: on Linux, Node 20 with
 * `recursive` hears nothing more of a file that was once replaced, as most editors do.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: (paths: string[]) => void,
): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const hear = (path: string) => {
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
      hear(path)
    })
    watcher.on('error', () => watcher.close())
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) follow(join(folder, entry.name))
    }
  }

  /** What has just come or gone; it may be gone again by now. */
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
    console.error(`Changes of the source are not noticed here (${message}): start again after each.`)
  }
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}
