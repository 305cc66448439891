import type { Connection, Provider } from '../../api/connection.ts'

/** Names of the tools that would stop working without this connection. */
export function toolsThatStop(
  providers: readonly Provider[],
  { tools }: Provider,
  { id }: Connection,
): string[] {
  const helps = ({ builtIn, connections }: Provider) =>
    builtIn || connections.some((one) => one.id !== id && one.status !== 'disabled')
  return tools.filter((tool) => !providers.some((one) => one.tools.includes(tool) && helps(one)))
}
