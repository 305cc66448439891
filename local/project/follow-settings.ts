import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What is read at the start only: files, and a folder with what is in it. */
const settings = ['config.toml', 'functions/.env', 'migrations']

/** Says once of each of a project's settings that it has changed, until it is closed: nothing takes it over by itself. */
export function followSettings(
  supabaseDirectory: string,
  say: (sentence: string) => void,
): { close(): void } {
  const watchers = settings.map((name) => {
    const path = join(supabaseDirectory, name)
    const before = read(path)
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const place = isFolder ? path : dirname(path)
    if (!existsSync(place)) return undefined
    const watcher = watch(place, { persistent: false }, (_, file) => {
      if ((!isFolder && file !== basename(path)) || read(path) === before) return
      watcher.close()
      say(`supabase/${name} has changed. Stop \`askback dev\` and start it again to use what is new.`)
    })
    return watcher.on('error', () => watcher.close())
  })
  return {
    close() {
      for (const watcher of watchers) watcher?.close()
    },
  }
}

function read(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
    return readdirSync(path)
      .map((name) => `${name}\n${read(join(path, name))}`)
      .join('\n')
  } catch {
    // It is not there, or no longer.
    return undefined
  }
}
