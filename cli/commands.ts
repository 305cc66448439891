import type { Command, Flag } from './command/command.ts'

/** Every command: a file of `commands/` each, loaded when it runs, so that all of them start fast. */
export const commands: Readonly<Record<string, Command>> = {
  dev: {
    about: 'runs the project on this machine, without Docker',
    flags: {
      reset: { about: 'starts over with an empty database' },
      app: { about: "serves the project's own Vite app, too" },
    },
    load: () => import('./commands/dev.ts'),
  },
  web: {
    about: 'writes the web app as static files',
    flags: {
      out: { value: 'DIR', about: 'where to' },
      url: { value: 'URL', about: 'of your Supabase project' },
      key: { value: 'KEY', about: 'its publishable key' },
    },
    load: () => import('./commands/web.ts'),
  },
}

/** Flags that every command takes. */
export const commonFlags: Readonly<Record<string, Flag>> = {
  workdir: {
    value: 'DIR',
    about: 'the project; else the nearest folder from here upwards that has supabase/config.toml',
  },
  help: { about: 'shows this' },
}
