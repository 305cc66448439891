import type { ProjectConfig } from './project-config.ts'

/** Somebody's own Supabase project, as `askback dev` runs it. */
export interface Project {
  /** The folder that holds `supabase/`. */
  directory: string
  config: ProjectConfig
  /** Start over with an empty database. */
  resets: boolean
  /** The built web app of ours. */
  webApp: string
}
