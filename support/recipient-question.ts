import { smtpSendEmail } from '../supabase/functions/smtp-api/integration.ts'

const { to } = smtpSendEmail.specification.parameters.properties ?? {}

/** What a mail without an address asks: its words are pinned in `tests/unit/integrations/catalogue.test.ts`. */
export const recipientQuestion = typeof to === 'object' ? String(to.question) : ''
