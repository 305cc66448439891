import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from './data-directory.ts'

/** The ports of the last start, so that stored connections and bookmarks still work after a restart. */
export interface PortMemory {
  /** The port of the last start; 0 = any. */
  recall(name: string): number
  remember(name: string, port: number): void
}

export function openPortMemory(directory: string): PortMemory {
  const path = join(directory, 'ports.json')
  const ports = readPorts(path)
  return {
    recall: (name) => ports[name] ?? 0,
    remember(name, port) {
      if (ports[name] === port) return
      ports[name] = port
      writePrivateFile(path, `${JSON.stringify(ports)}\n`)
    },
  }
}

function readPorts(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
