/** What an agent may do without asking its user: at most `max` times `per` minute, hour or day, all in UTC. */
export interface Permission {
  /** The parameter that the pattern is about; `to` stands for to, cc and bcc. */
  path: string
  /** An address, or `*@` and a domain for whoever is directly at it. */
  pattern: string
  max: number
  per: 'minute' | 'hour' | 'day'
}

/** How often a standing permission may be used, unless its user says otherwise. */
export const usualUse = { max: 20, per: 'day' } as const satisfies Partial<Permission>
