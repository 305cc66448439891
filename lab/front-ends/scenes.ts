import type { Scene } from './scene.ts'
import { approvals } from './scenes/approvals.ts'
import { namedChats } from './scenes/named-chats.ts'
import { openWebUi } from './scenes/open-webui.ts'
import { protocol } from './scenes/protocol.ts'
import { quoted } from './scenes/quoted.ts'
import { repeats } from './scenes/repeats.ts'
import { sdkTimeouts } from './scenes/sdk-timeouts.ts'
import { stops } from './scenes/stops.ts'
import { twice } from './scenes/twice.ts'

/** All scenes, the longest first. */
export const scenes: readonly Scene[] = [
  ...sdkTimeouts,
  ...stops,
  ...openWebUi,
  ...twice,
  ...namedChats,
  ...repeats,
  ...approvals,
  ...quoted,
  ...protocol,
]
