import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM_PATH ?? '',
  // For a new tab it takes a quarter of the time that a whole browser takes.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of an installed Chromium, if there is one. CHROMIUM_PATH overrides it. */
export const chromiumPath: string | undefined = places.find((path) => path !== '' && existsSync(path))
