import { playScene, type Verdict } from './play-scene.ts'
import type { Scene } from './scene.ts'
import { openStage } from './stage.ts'

interface PlayOptions {
  /** The number of parallel scenes, which are independent of each other. */
  atOnce: number
  onVerdict?(verdict: Verdict): void
}

/** Plays scenes on their own stack; the verdicts are in the order of the scenes. */
export async function play(scenes: readonly Scene[], { atOnce, onVerdict }: PlayOptions): Promise<Verdict[]> {
  const stage = await openStage()
  const verdicts: Verdict[] = []
  const left = [...scenes.entries()]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [number, scene] = next
      const verdict = await playScene(stage, scene, number)
      verdicts[number] = verdict
      onVerdict?.(verdict)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
    return verdicts
  } finally {
    await stage.close()
  }
}
