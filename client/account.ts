/** The result of deleting an account. */
export interface DeletedAccount {
  deleted: true
  /** Providers that could not be reached; the user has to remove the app there. */
  notRevoked: string[]
}
