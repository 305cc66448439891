import type { Command, Flag } from './command/command.ts'
import { knownIntegrations } from './project/function-files.ts'

const choice = knownIntegrations()
  .map((name) => name.replace(/-api$/, ''))
  .join(', ')

/** Every command: a file of `commands/` each, loaded when it runs, so that all of them start fast. */
export const commands: Readonly<Record<string, Command>> = {
  add: {
    about: 'adds Askback to this Supabase project, or changes what is installed',
    flags: {
      integrations: { value: 'A,B', about: `which ones, of ${choice}; all by default` },
      name: {
        value: 'OURS=YOURS',
        repeats: true,
        about: 'another name for one of the functions, like chat=assistant',
      },
      vendor: { about: 'puts the functions into supabase/functions/_askback (default)' },
      'no-vendor': { about: 'takes them from npm when they are deployed' },
      'dry-run': { about: 'only shows what would change' },
      yes: { about: 'does not ask' },
    },
    load: () => import('./commands/add.ts'),
  },
  dev: {
    about: 'runs the project on this machine, without Docker',
    flags: {
      reset: { about: 'starts over with an empty database' },
      app: { about: "serves the project's own Vite app, too" },
    },
    load: () => import('./commands/dev.ts'),
  },
  upgrade: {
    about: 'upgrades Askback in this project to the version of this command',
    flags: {
      check: { about: 'only says whether it is up to date, without network; ends with 1 if it is not' },
      force: { about: 'also replaces Askback files that were changed by hand' },
      'dry-run': { about: 'only shows what would change' },
      yes: { about: 'does not ask' },
    },
    load: () => import('./commands/upgrade.ts'),
  },
  'new-integration': {
    about: 'creates tools of your own, as a function with a test; given again, writes their migration',
    argument: 'NAME',
    flags: {},
    load: () => import('./commands/new-integration.ts'),
  },
  test: {
    about: 'runs the tests of your own tools',
    flags: {},
    load: () => import('./commands/test.ts'),
  },
  'rotate-key': {
    about: 'encrypts what users have connected with the first of the keys',
    flags: {
      'db-url': {
        value: 'URL',
        about: 'the database; else DATABASE_URL, else the one of the running `askback dev`',
      },
    },
    load: () => import('./commands/rotate-key.ts'),
  },
  remove: {
    about: 'removes Askback from this project, and prints how to delete the rest',
    flags: {
      'dry-run': { about: 'only shows what would change' },
      yes: { about: 'does not ask' },
    },
    load: () => import('./commands/remove.ts'),
  },
  doctor: {
    about: 'reports what is in order, what is missing, and how to fix it',
    flags: {
      'db-url': { value: 'URL', about: 'looks at this database' },
      linked: { about: 'looks at the hosted project that `supabase link` has linked' },
    },
    load: () => import('./commands/doctor.ts'),
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
    about: 'the project; by default, the nearest folder upward that has supabase/config.toml',
  },
  help: { about: 'shows this' },
}
