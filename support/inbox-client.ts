import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { TestStack } from './stack.ts'

/** A mail client that checks certificates, as it would with a server of the world. */
export function openTransport(
  { smtp, dataDirectory }: TestStack,
  options: { password?: string; ignoreTLS?: boolean } = {},
) {
  const { host, port, user, password } = smtp
  return createTransport({
    host,
    port,
    auth: { user, pass: options.password ?? password },
    tls: { ca: readFileSync(join(dataDirectory, 'inbox-authority.pem')) },
    ...(options.ignoreTLS ? { ignoreTLS: true } : { requireTLS: true }),
  })
}
