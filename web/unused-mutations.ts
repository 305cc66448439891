/** Replaces the mutations of TanStack Query: this app has none, and they are 1 KiB of the first page. */
export class MutationCache {
  clear(): void {}
  async resumePausedMutations(): Promise<void> {}
}
